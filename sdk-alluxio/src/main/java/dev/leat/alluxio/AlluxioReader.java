package dev.leat.alluxio;

import alluxio.client.file.FileInStream;
import alluxio.client.file.FileSystem;
import alluxio.client.file.URIStatus;
import alluxio.grpc.OpenFilePOptions;
import alluxio.grpc.ReadPType;
import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads one file, pinned to its inode. A block that is not cached is read from the under store by
 * path, whatever stands there by then; so after the bytes came, and before they are handed out, the
 * master is asked whether the file is still the same. Files that are written once need no such
 * question. That the under store was overwritten behind Alluxio shows only when the source is
 * listed again: so does the engine.
 *
 * <p>Alluxio's streams keep state and are not thread-safe: each positioned read borrows one.
 */
final class AlluxioReader implements BlobReader {

  private static final Logger LOG = LoggerFactory.getLogger(AlluxioReader.class);

  /**
   * How much a sequential stream reads before it asks the master: one question is cheap beside it.
   */
  private static final int CHUNK = 4 << 20;

  private final AlluxioStore store;
  private final FileSystem files;
  private final URIStatus status;
  private final Blob blob;
  private final boolean writtenOnce;
  private final ConcurrentLinkedDeque<FileInStream> idle = new ConcurrentLinkedDeque<>();
  private volatile boolean closed;

  AlluxioReader(
      AlluxioStore store, FileSystem files, URIStatus status, Blob blob, boolean writtenOnce) {
    this.store = store;
    this.files = files;
    this.status = status;
    this.blob = blob;
    this.writtenOnce = writtenOnce;
  }

  @Override
  public void readFully(long position, byte[] target, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, target.length);
    blob.requireRange(position, length);
    checkOpen();
    if (length == 0) {
      return;
    }
    FileInStream in = borrow();
    boolean sound = false;
    try {
      AlluxioFailures.sorting(
          "reading", blob.uri(), () -> readFully(in, position, target, offset, length));
      sound = true;
    } catch (StoreException e) {
      throw unlessChanged(e);
    } finally {
      giveBack(in, sound);
    }
    checkUnchanged();
  }

  private int readFully(FileInStream in, long position, byte[] target, int offset, int length)
      throws IOException {
    int done = 0;
    while (done < length) {
      int read = in.positionedRead(position + done, target, offset + done, length - done);
      if (read <= 0) {
        throw truncated(position + done);
      }
      done += read;
    }
    return done;
  }

  @Override
  public InputStream stream(long position) throws IOException {
    blob.requireRange(position, 0);
    checkOpen();
    FileInStream in = open();
    try {
      return AlluxioFailures.sorting(
          "opening",
          blob.uri(),
          () -> {
            in.seek(position);
            return new CheckedStream(in, position);
          });
    } catch (IOException e) {
      discard(in);
      throw e;
    }
  }

  private FileInStream borrow() throws IOException {
    FileInStream in = idle.pollFirst();
    return in == null ? open() : in;
  }

  /** Opening costs no call: the status is there already. */
  private FileInStream open() throws IOException {
    return AlluxioFailures.sorting(
        "opening",
        blob.uri(),
        () ->
            files.openFile(
                status, OpenFilePOptions.newBuilder().setReadType(ReadPType.CACHE).build()));
  }

  private void giveBack(FileInStream in, boolean sound) {
    if (sound && !closed) {
      idle.addFirst(in);
      if (closed) {
        close();
      }
    } else {
      discard(in);
    }
  }

  private void discard(FileInStream in) {
    try {
      in.close();
    } catch (IOException | RuntimeException e) {
      // What was read is good or has failed already.
      LOG.debug("Closing a stream of {} failed", blob.uri(), e);
    }
  }

  /**
   * What fails may fail because another content took the place of the one that was opened, or none:
   * it ends early, or the worker looks in vain for the file in the under store until the time is
   * up.
   */
  private StoreException unlessChanged(StoreException failure) {
    if (writtenOnce) {
      return failure;
    }
    try {
      if (store.isStill(status)) {
        return failure;
      }
    } catch (IOException e) {
      failure.addSuppressed(e);
      return failure;
    }
    StoreException changed = AlluxioStore.changed(blob);
    changed.addSuppressed(failure);
    return changed;
  }

  private void checkUnchanged() throws IOException {
    if (!writtenOnce && !store.isStill(status)) {
      throw AlluxioStore.changed(blob);
    }
  }

  private StoreException truncated(long position) {
    return new StoreException(
        StoreException.Kind.TRUNCATED,
        "reading "
            + blob.uri()
            + " failed: it ended at "
            + position
            + " of "
            + blob.length()
            + " bytes",
        null);
  }

  private void checkOpen() throws StoreException {
    if (closed) {
      throw new StoreException(
          StoreException.Kind.OTHER, "the reader of " + blob.uri() + " is closed", null);
    }
  }

  @Override
  public void close() {
    closed = true;
    for (FileInStream in = idle.pollFirst(); in != null; in = idle.pollFirst()) {
      discard(in);
    }
  }

  /** A sequential stream that hands out bytes only after the file was found unchanged. */
  private final class CheckedStream extends InputStream {

    private final FileInStream in;
    private long position;
    private byte[] chunk = new byte[0];
    private int next;
    private int end;

    CheckedStream(FileInStream in, long position) {
      this.in = in;
      this.position = position;
    }

    @Override
    public int read() throws IOException {
      return next < end || fill() ? chunk[next++] & 0xff : -1;
    }

    @Override
    public int read(byte @Nullable [] target, int offset, int length) throws IOException {
      if (target == null) {
        throw new NullPointerException("target");
      }
      Objects.checkFromIndexSize(offset, length, target.length);
      if (length == 0) {
        return 0;
      }
      if (next == end && !fill()) {
        return -1;
      }
      int count = Math.min(length, end - next);
      System.arraycopy(chunk, next, target, offset, count);
      next += count;
      return count;
    }

    private boolean fill() throws IOException {
      int wanted = (int) Math.min(CHUNK, blob.length() - position);
      if (wanted == 0) {
        return false;
      }
      if (chunk.length < wanted) {
        chunk = new byte[wanted];
      }
      try {
        AlluxioFailures.sorting(
            "reading",
            blob.uri(),
            () -> {
              int done = 0;
              while (done < wanted) {
                int read = in.read(chunk, done, wanted - done);
                if (read <= 0) {
                  throw truncated(position + done);
                }
                done += read;
              }
              return done;
            });
      } catch (StoreException e) {
        throw unlessChanged(e);
      }
      checkUnchanged();
      position += wanted;
      next = 0;
      end = wanted;
      return true;
    }

    @Override
    public void close() {
      discard(in);
    }
  }
}
