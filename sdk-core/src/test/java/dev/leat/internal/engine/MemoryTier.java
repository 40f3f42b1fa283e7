package dev.leat.internal.engine;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.spi.Blob;
import dev.leat.spi.BlobStore;
import dev.leat.spi.RemoteTier;
import dev.leat.spi.RemoteTierStore;
import dev.leat.spi.StoreContext;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;

/**
 * A remote tier in memory that mirrors {@code s3a://bucket/…} as {@code mem://cache/mirror/…}. A
 * copy is fresh if it has the length and the tag of the source's blob.
 */
final class MemoryTier implements RemoteTier {
  private static final long serialVersionUID = 1L;
  static final String INDEX_ROOT = "mem://cache/leat";
  private static final String SOURCE = "s3a://bucket/";
  private static final String MIRROR = "mem://cache/mirror/";

  private final transient MemoryStore store;

  MemoryTier(MemoryStore store) {
    this.store = store;
  }

  static String copyOf(String sourceUri) {
    return MIRROR + sourceUri.substring(SOURCE.length());
  }

  @Override
  public String tierName() {
    return "memory";
  }

  @Override
  public RemoteTierStore open(StoreContext context) {
    return new RemoteTierStore() {
      @Override
      public BlobStore blobs() {
        return store;
      }

      @Override
      public URI indexRoot() {
        return URI.create(INDEX_ROOT);
      }

      @Override
      public Optional<Blob> freshCopy(Blob source) throws IOException {
        URI copy = URI.create(copyOf(source.uri().toString()));
        store.operation("freshCopy", copy);
        return store
            .find(copy)
            .filter(
                blob ->
                    blob.length() == source.length()
                        && blob.contentTag().equals(source.contentTag()));
      }

      @Override
      public URI sourceOf(URI location) throws IOException {
        store.operation("sourceOf", location);
        if (!location.toString().startsWith(MIRROR)) {
          throw new LeatException(
              ErrorCode.TIER_NOT_MAPPED, location + " is not mirrored; use a path below " + MIRROR);
        }
        return URI.create(SOURCE + location.toString().substring(MIRROR.length()));
      }

      @Override
      public void close() {
        store.close();
      }
    };
  }

  @Override
  public boolean owns(URI location) {
    return "mem".equals(location.getScheme());
  }
}
