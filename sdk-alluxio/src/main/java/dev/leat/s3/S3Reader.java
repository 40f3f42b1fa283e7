package dev.leat.s3;

import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.StoreException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options.OpenFileOptions;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.s3a.S3AFileStatus;
import org.apache.hadoop.util.functional.FutureIO;
import org.jspecify.annotations.Nullable;

/**
 * Reads one object, pinned to its ETag. Each positioned read is a request of its own for exactly
 * its range, since S3A's streams have one position and lock: opening one costs no request when the
 * status is given.
 */
final class S3Reader implements BlobReader {

  private final FileSystem files;
  private final Path path;
  private final Blob blob;
  private final S3AFileStatus status;
  private volatile boolean closed;

  S3Reader(FileSystem files, Path path, Blob blob) {
    this.files = files;
    this.path = path;
    this.blob = blob;
    // S3's header and S3A's comparison have the quotes that a listing of Leat leaves out.
    String etag = blob.contentTag().map(tag -> '"' + tag + '"').orElse(null);
    this.status = status(path, blob, etag);
  }

  @SuppressWarnings("NullAway") // S3A takes null for "no ETag" and "no version".
  private static S3AFileStatus status(Path path, Blob blob, @Nullable String etag) {
    return new S3AFileStatus(
        blob.length(), blob.modified().toEpochMilli(), path, 1L << 26, "leat", etag, null);
  }

  @Override
  public void readFully(long position, byte[] target, int offset, int length) throws IOException {
    java.util.Objects.checkFromIndexSize(offset, length, target.length);
    blob.requireRange(position, length);
    checkOpen();
    if (length == 0) {
      return;
    }
    try (FSDataInputStream in = open(OpenFileOptions.FS_OPTION_OPENFILE_READ_POLICY_RANDOM)) {
      // Random policy: the request asks for what is read, so that nothing is left over when the
      // stream is closed.
      in.readFully(position, target, offset, length);
    } catch (IOException e) {
      throw S3Failures.of("reading", blob.uri(), e);
    }
  }

  @Override
  public InputStream stream(long position) throws IOException {
    blob.requireRange(position, 0);
    checkOpen();
    try {
      FSDataInputStream in = open(OpenFileOptions.FS_OPTION_OPENFILE_READ_POLICY_SEQUENTIAL);
      in.seek(position);
      return new TranslatingStream(in, blob);
    } catch (IOException e) {
      throw S3Failures.of("opening", blob.uri(), e);
    }
  }

  private FSDataInputStream open(String policy) throws IOException {
    return FutureIO.awaitFuture(
        files
            .openFile(path)
            .withFileStatus(status)
            .opt(OpenFileOptions.FS_OPTION_OPENFILE_READ_POLICY, policy)
            .opt(
                "fs.s3a.readahead.range",
                policy.equals(OpenFileOptions.FS_OPTION_OPENFILE_READ_POLICY_RANDOM)
                    ? "1"
                    : "65536")
            .build());
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
  }

  /** Sorts failures, and tells an early end from the end. */
  private static final class TranslatingStream extends FilterInputStream {

    private final FSDataInputStream content;
    private final Blob blob;

    TranslatingStream(FSDataInputStream content, Blob blob) {
      super(content);
      this.content = content;
      this.blob = blob;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte @Nullable [] target, int offset, int length) throws IOException {
      try {
        int read = content.read(target, offset, length);
        if (read < 0 && content.getPos() < blob.length()) {
          throw new StoreException(
              StoreException.Kind.TRUNCATED,
              "reading "
                  + blob.uri()
                  + " failed: it ended at "
                  + content.getPos()
                  + " of "
                  + blob.length()
                  + " bytes",
              null);
        }
        return read;
      } catch (IOException e) {
        throw S3Failures.of("reading", blob.uri(), e);
      }
    }

    @Override
    public long skip(long bytes) throws IOException {
      try {
        return content.skip(bytes);
      } catch (IOException e) {
        throw S3Failures.of("reading", blob.uri(), e);
      }
    }
  }
}
