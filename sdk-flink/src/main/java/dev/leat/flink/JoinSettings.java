package dev.leat.flink;

import dev.leat.DataSize;
import dev.leat.DuplicateKeys;
import dev.leat.Guard;
import dev.leat.Refresh;
import dev.leat.RequestRate;
import dev.leat.Staleness;
import dev.leat.VersionGone;
import dev.leat.VersionRetention;
import dev.leat.flink.internal.Misses;
import dev.leat.spi.CacheTier;
import java.util.List;
import java.util.Optional;
import org.immutables.value.Value;

/** What the optional steps of {@link Enrichment} set; empty where a step was not taken. */
@Value.Immutable
@Value.Style(visibility = Value.Style.ImplementationVisibility.PACKAGE)
interface JoinSettings<E> {

  List<CacheTier> tiers();

  Misses<E> misses();

  Optional<Refresh> refresh();

  Optional<Staleness> staleness();

  @Value.Default
  default Guard guard() {
    return Guard.standard();
  }

  @Value.Default
  default VersionRetention retention() {
    return VersionRetention.standard();
  }

  @Value.Default
  default RequestRate sourceRate() {
    return RequestRate.unlimited();
  }

  @Value.Default
  default DuplicateKeys duplicates() {
    return DuplicateKeys.KEEP_LAST;
  }

  @Value.Default
  default VersionGone versionGone() {
    return VersionGone.FAIL;
  }

  Optional<DataSize> hotRows();

  Optional<String> name();

  Optional<String> uid();
}
