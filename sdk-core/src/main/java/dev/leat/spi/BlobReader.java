package dev.leat.spi;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;

/**
 * Reads one {@link Blob}. Bytes of another content than that of the blob it was opened for are
 * never returned: a store that can tell (an ETag, a length) throws {@link StoreException} of kind
 * {@link StoreException.Kind#CHANGED}.
 *
 * <p>Positioned reads are thread-safe and independent of each other. A stream belongs to one
 * thread.
 */
public interface BlobReader extends Closeable {

  /**
   * Reads exactly {@code length} bytes that start at {@code position}.
   *
   * @throws StoreException of kind {@code TRUNCATED} if the content ends before; of another kind as
   *     the store failed
   */
  void readFully(long position, byte[] target, int offset, int length) throws IOException;

  /**
   * A sequential stream from {@code position} to the end; the caller closes it. Closing the reader
   * does not end a stream that is open.
   */
  InputStream stream(long position) throws IOException;
}
