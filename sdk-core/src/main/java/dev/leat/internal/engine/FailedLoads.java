package dev.leat.internal.engine;

import dev.leat.LeatException;
import dev.leat.internal.engine.source.VersionName;
import org.jspecify.annotations.Nullable;

/**
 * The load that failed last. All subtasks of a process ask for the same version at about the same
 * time; those that asked before it failed get the same failure, instead of another build each.
 * Belongs to the service's thread.
 */
final class FailedLoads {
  private @Nullable VersionName name;
  private @Nullable LeatException failure;
  private long when;

  void failed(VersionName version, LeatException e) {
    name = version;
    failure = e;
    when = System.nanoTime();
  }

  /**
   * Throws the failure of a version if it came after a moment.
   *
   * @param asked {@link System#nanoTime()} of that moment
   */
  void rethrowIfFailedSince(long asked, VersionName version) {
    LeatException last = failure;
    if (last != null && version.equals(name) && when - asked > 0) {
      throw last;
    }
  }
}
