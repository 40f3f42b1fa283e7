package dev.leat.internal.engine.source;

import dev.leat.internal.engine.tier.StoreClient;
import dev.leat.internal.engine.tier.TierClient;
import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.StoreException;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads the files of one version for one attempt to build its index: each from the nearest tier
 * whose copy is proven fresh, else from the source. Thread-safe.
 *
 * <p>Once a tier has failed, it is not asked again in this attempt.
 */
public final class SourceReading {
  private final StoreClient source;
  private final List<TierClient> tiers;
  private final Set<String> failedTiers = ConcurrentHashMap.newKeySet();
  private final Set<URI> counted = ConcurrentHashMap.newKeySet();

  SourceReading(StoreClient source, List<TierClient> tiers) {
    this.source = source;
    this.tiers = List.copyOf(tiers);
  }

  /**
   * An open file.
   *
   * @param tier the tier that it is read from, or null for the source
   */
  public record Opened(BlobReader reader, @Nullable TierClient tier) implements Closeable {
    @Override
    public void close() throws IOException {
      reader.close();
    }
  }

  /** Opens a file. */
  public Opened open(Blob file) throws IOException {
    for (TierClient tier : tiers) {
      if (failedTiers.contains(tier.name())) {
        continue;
      }
      try {
        var copy = tier.openFresh(file);
        if (copy.isPresent()) {
          if (counted.add(file.uri())) {
            tier.counters().hit();
          }
          return new Opened(copy.get(), tier);
        }
        tier.counters().miss();
      } catch (StoreException e) {
        failed(tier, e);
      }
    }
    BlobReader reader = source.store().open(file);
    if (counted.add(file.uri())) {
      source.counters().hit();
    }
    return new Opened(reader, null);
  }

  /**
   * A tier failed; what it was asked for, and all else of this attempt, comes from the next one.
   */
  public void failed(TierClient tier, IOException failure) {
    if (failedTiers.add(tier.name())) {
      tier.client().fellBack(String.valueOf(failure.getMessage()));
    }
  }
}
