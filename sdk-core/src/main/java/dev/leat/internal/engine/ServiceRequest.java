package dev.leat.internal.engine;

import static java.util.Objects.requireNonNull;

import dev.leat.Dimension;
import dev.leat.DuplicateKeys;
import dev.leat.Refresh;
import dev.leat.Staleness;
import dev.leat.spi.CacheTier;
import java.io.Serializable;
import java.util.List;

/**
 * What an operator asks the engine for. A value: equal requests share one service.
 *
 * @param dimension the dimension
 * @param duplicates which rows of a key are kept
 * @param tiers the cache tiers from the nearest to the farthest; the local disk is added where it
 *     is not named, the source of truth always stands behind the last
 * @param refresh when the source is looked at
 * @param staleness how old a version may be served
 */
public record ServiceRequest<K, D>(
    Dimension<K, D> dimension,
    DuplicateKeys duplicates,
    List<CacheTier> tiers,
    Refresh refresh,
    Staleness staleness)
    implements Serializable {

  /** Copies the tiers. */
  public ServiceRequest {
    requireNonNull(dimension, "dimension");
    requireNonNull(duplicates, "duplicates");
    tiers = List.copyOf(requireNonNull(tiers, "tiers"));
    requireNonNull(refresh, "refresh");
    requireNonNull(staleness, "staleness");
  }
}
