package dev.leat.internal.engine.repository;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.BlobStore;
import dev.leat.spi.StoreException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/**
 * An object in a remote tier that elects the host that builds a version. Its content is the
 * holder's name and a number that the holder raises while it makes progress. Others do not compare
 * clocks: a lease whose content they have seen unchanged for its time to live has lost its holder.
 *
 * <p>It saves work and nothing else: two hosts that build at a time write the same bytes. Belongs
 * to one thread.
 */
public final class BuildLease {
  private static final int CONTENT_LIMIT = 1024;

  private final BlobStore store;
  private final URI uri;
  private final String holder = UUID.randomUUID().toString();
  private long renewal;
  private boolean held;

  BuildLease(BlobStore store, URI uri) {
    this.store = store;
    this.uri = uri;
  }

  /** Takes the lease if nobody has it. */
  public boolean tryAcquire() throws IOException {
    held = store.publishIfAbsent(content(), uri);
    return held;
  }

  /**
   * Who holds the lease and how far he is; two equal answers mean that he made no progress between
   * them. Empty if nobody holds it.
   */
  public Optional<String> state() throws IOException {
    try {
      Optional<Blob> blob = store.find(uri);
      if (blob.isEmpty()) {
        return Optional.empty();
      }
      if (blob.get().length() > CONTENT_LIMIT) {
        return Optional.of("a foreign object of " + blob.get().length() + " bytes");
      }
      byte[] bytes = new byte[(int) blob.get().length()];
      try (BlobReader reader = store.open(blob.get())) {
        reader.readFully(0, bytes, 0, bytes.length);
      }
      return Optional.of(new String(bytes, UTF_8));
    } catch (StoreException e) {
      if (e.kind() == StoreException.Kind.NOT_FOUND) {
        return Optional.empty();
      }
      if (e.kind() == StoreException.Kind.CHANGED) {
        // Renewed between the two calls, which is progress.
        return Optional.of("renewed " + UUID.randomUUID());
      }
      throw e;
    }
  }

  /** Takes the lease from a holder that is gone. */
  public boolean takeOver() throws IOException {
    store.delete(uri);
    return tryAcquire();
  }

  /** Shows that the holder makes progress. Does nothing if this is not the holder. */
  public void renew(Path temporaryDirectory) throws IOException {
    if (!held) {
      return;
    }
    renewal++;
    Path file = Files.createTempFile(temporaryDirectory, "lease", null);
    try {
      Files.write(file, content());
      store.publish(file, uri);
    } finally {
      Files.deleteIfExists(file);
    }
  }

  /** Gives the lease back. Does nothing if this is not the holder. */
  public void release() throws IOException {
    if (held) {
      held = false;
      store.delete(uri);
    }
  }

  private byte[] content() {
    return (holder + " " + renewal).getBytes(UTF_8);
  }
}
