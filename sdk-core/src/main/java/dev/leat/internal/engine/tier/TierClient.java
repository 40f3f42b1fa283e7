package dev.leat.internal.engine.tier;

import dev.leat.internal.store.ResilienceSettings;
import dev.leat.internal.store.StoreTime;
import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.BlobStore;
import dev.leat.spi.RemoteTier;
import dev.leat.spi.RemoteTierStore;
import dev.leat.spi.StoreContext;
import dev.leat.spi.StoreException;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;

/** A {@link RemoteTier} at work, behind a {@link StoreClient}. Thread-safe. */
public final class TierClient implements AutoCloseable {
  private final RemoteTier tier;
  private final RemoteTierStore tierStore;
  private final StoreClient client;

  private TierClient(RemoteTier tier, RemoteTierStore tierStore, StoreClient client) {
    this.tier = tier;
    this.tierStore = tierStore;
    this.client = client;
  }

  /** Opens a tier. */
  public static TierClient open(
      RemoteTier tier,
      StoreContext context,
      ResilienceSettings settings,
      StoreTime time,
      Announcer announcer)
      throws IOException {
    RemoteTierStore tierStore = tier.open(context);
    return new TierClient(
        tier,
        tierStore,
        new StoreClient(
            tier.tierName(), new FreshCopyStore(tier, tierStore), settings, time, announcer));
  }

  /** The name of the tier. */
  public String name() {
    return client.name();
  }

  /** The client, for its health. */
  public StoreClient client() {
    return client;
  }

  /** What the engine counts about it. */
  public TierCounters counters() {
    return client.counters();
  }

  /** The store that holds the tier's blobs. */
  public BlobStore store() {
    return client.store();
  }

  /** The directory below which indexes are published, with a slash at its end. */
  public URI indexRoot() {
    String root = tierStore.indexRoot().toString();
    return URI.create(root.endsWith("/") ? root : root + "/");
  }

  /** Whether a location is one of the tier's own. */
  public boolean owns(URI location) {
    return tier.owns(location);
  }

  /** The source of truth of a location of the tier. */
  public URI sourceOf(URI location) throws IOException {
    return tierStore.sourceOf(location);
  }

  /**
   * A reader of the tier's copy of a file of the source, if the copy is proven to have the same
   * content.
   */
  public Optional<BlobReader> openFresh(Blob source) throws IOException {
    try {
      return Optional.of(client.store().open(source));
    } catch (StoreException e) {
      if (e.kind() == StoreException.Kind.NOT_FOUND) {
        return Optional.empty();
      }
      throw e;
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
