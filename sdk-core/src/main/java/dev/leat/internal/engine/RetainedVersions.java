package dev.leat.internal.engine;

import dev.leat.VersionRetention;
import dev.leat.internal.engine.repository.LocalRepository;
import java.time.Clock;
import java.util.Set;

/**
 * The versions of a dimension that are kept although they are served no more, as far as this host
 * knows. Belongs to the service's thread.
 */
final class RetainedVersions {
  private final LocalRepository local;
  private final VersionRetention policy;
  private final Clock clock;

  RetainedVersions(LocalRepository local, VersionRetention policy, Clock clock) {
    this.local = local;
    this.policy = policy;
    this.clock = clock;
  }

  VersionRetention policy() {
    return policy;
  }

  /** Those of a lineage that are on the local disk, and the one that is served. */
  Set<String> of(String lineage, String servedVersionId) {
    Set<String> retained = local.retained(lineage, policy, clock.instant());
    retained.add(servedVersionId);
    return retained;
  }

  /** Removes all others of the lineage from the local disk, as far as nobody uses them. */
  void removeOthers(String lineage, String servedVersionId) {
    local.removeOldVersions(lineage, of(lineage, servedVersionId));
  }
}
