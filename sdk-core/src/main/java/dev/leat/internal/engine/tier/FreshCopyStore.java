package dev.leat.internal.engine.tier;

import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.BlobStore;
import dev.leat.spi.RemoteTier;
import dev.leat.spi.RemoteTierStore;
import dev.leat.spi.StoreException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A remote tier as one store: its own blobs, and the source's blobs where it has a copy that is
 * proven fresh. So the same retries, deadline and circuit breaker guard both.
 *
 * <p>Opening a blob of the source that has no fresh copy fails with kind {@code NOT_FOUND}.
 */
final class FreshCopyStore implements BlobStore {
  private final RemoteTier tier;
  private final RemoteTierStore tierStore;

  FreshCopyStore(RemoteTier tier, RemoteTierStore tierStore) {
    this.tier = tier;
    this.tierStore = tierStore;
  }

  @Override
  public List<Blob> list(URI directory) throws IOException {
    return tierStore.blobs().list(directory);
  }

  @Override
  public Optional<Blob> find(URI uri) throws IOException {
    return tierStore.blobs().find(uri);
  }

  @Override
  public BlobReader open(Blob blob) throws IOException {
    if (tier.owns(blob.uri())) {
      return tierStore.blobs().open(blob);
    }
    Blob copy =
        tierStore
            .freshCopy(blob)
            .orElseThrow(
                () ->
                    new StoreException(
                        StoreException.Kind.NOT_FOUND,
                        "no copy of "
                            + blob.uri()
                            + " in "
                            + tier.tierName()
                            + " is proven to be fresh",
                        null));
    return tierStore.blobs().open(copy);
  }

  @Override
  public void publish(Path file, URI target) throws IOException {
    tierStore.blobs().publish(file, target);
  }

  @Override
  public boolean publishIfAbsent(byte[] content, URI target) throws IOException {
    return tierStore.blobs().publishIfAbsent(content, target);
  }

  @Override
  public void delete(URI uri) throws IOException {
    tierStore.blobs().delete(uri);
  }

  @Override
  public void close() {
    tierStore.close();
  }
}
