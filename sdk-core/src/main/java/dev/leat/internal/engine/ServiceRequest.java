package dev.leat.internal.engine;

import static java.util.Objects.requireNonNull;

import dev.leat.Dimension;
import dev.leat.DuplicateKeys;
import dev.leat.Guard;
import dev.leat.Refresh;
import dev.leat.RequestRate;
import dev.leat.Staleness;
import dev.leat.VersionRetention;
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
 * @param guard which versions are held back
 * @param retention how long versions are kept that are served no more
 * @param sourceRate how many requests the source gets
 */
public record ServiceRequest<K, D>(
    Dimension<K, D> dimension,
    DuplicateKeys duplicates,
    List<CacheTier> tiers,
    Refresh refresh,
    Staleness staleness,
    Guard guard,
    VersionRetention retention,
    RequestRate sourceRate)
    implements Serializable {

  /** Copies the tiers. */
  public ServiceRequest {
    requireNonNull(dimension, "dimension");
    requireNonNull(duplicates, "duplicates");
    tiers = List.copyOf(requireNonNull(tiers, "tiers"));
    requireNonNull(refresh, "refresh");
    requireNonNull(staleness, "staleness");
    requireNonNull(guard, "guard");
    requireNonNull(retention, "retention");
    requireNonNull(sourceRate, "sourceRate");
  }

  /** A request with the defaults for the rest. */
  public ServiceRequest(
      Dimension<K, D> dimension,
      DuplicateKeys duplicates,
      List<CacheTier> tiers,
      Refresh refresh,
      Staleness staleness) {
    this(
        dimension,
        duplicates,
        tiers,
        refresh,
        staleness,
        Guard.standard(),
        VersionRetention.standard(),
        RequestRate.unlimited());
  }

  /** The same with another guard. */
  public ServiceRequest<K, D> with(Guard other) {
    return new ServiceRequest<>(
        dimension, duplicates, tiers, refresh, staleness, other, retention, sourceRate);
  }

  /** The same with another retention. */
  public ServiceRequest<K, D> with(VersionRetention other) {
    return new ServiceRequest<>(
        dimension, duplicates, tiers, refresh, staleness, guard, other, sourceRate);
  }

  /** The same with another rate. */
  public ServiceRequest<K, D> with(RequestRate other) {
    return new ServiceRequest<>(
        dimension, duplicates, tiers, refresh, staleness, guard, retention, other);
  }
}
