package dev.leat.flink;

import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.BlobStore;
import dev.leat.spi.BlobStoreProvider;
import dev.leat.spi.StoreContext;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/**
 * A store that never answers: {@code stuck:///directory} leaves a file in the directory when it is
 * asked, and hangs until its thread is interrupted or it is closed.
 */
public final class StuckStoreProvider implements BlobStoreProvider {
  /** The file that shows that the store was reached. */
  static final String REACHED = "reached";

  @Override
  public Set<String> schemes() {
    return Set.of("stuck");
  }

  @Override
  public BlobStore open(URI location, StoreContext context) {
    return new StuckStore();
  }

  private static final class StuckStore implements BlobStore {
    private final CountDownLatch closed = new CountDownLatch(1);

    @Override
    public List<Blob> list(URI directory) throws IOException {
      Files.writeString(Path.of(directory.getPath()).resolve(REACHED), "");
      try {
        closed.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      throw new InterruptedIOException("the store was closed while it hung");
    }

    @Override
    public Optional<Blob> find(URI uri) {
      throw new AssertionError("only a listing is expected");
    }

    @Override
    public BlobReader open(Blob blob) {
      throw new AssertionError("only a listing is expected");
    }

    @Override
    public void publish(Path file, URI target) {
      throw new AssertionError("only a listing is expected");
    }

    @Override
    public boolean publishIfAbsent(byte[] content, URI target) {
      throw new AssertionError("only a listing is expected");
    }

    @Override
    public void delete(URI uri) {
      throw new AssertionError("only a listing is expected");
    }

    @Override
    public void close() {
      closed.countDown();
    }
  }
}
