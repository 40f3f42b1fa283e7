package dev.leat.internal.engine;

import dev.leat.internal.engine.repository.LocalRepository;
import dev.leat.internal.engine.source.VersionName;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The versions that this process has mapped for a service, by their names, and those of them that
 * were found damaged. Thread-safe; versions come and go on the service's thread.
 */
final class LoadedVersions {
  private final Retirement retirement;
  private final Map<String, ServedVersion> byId = new ConcurrentHashMap<>();
  private final Set<ServedVersion> damaged = ConcurrentHashMap.newKeySet();

  /** The last failure to replace a damaged version. */
  private final Map<ServedVersion, Throwable> replacementFailures = new ConcurrentHashMap<>();

  private volatile @Nullable ServedVersion newest;

  LoadedVersions(Retirement retirement) {
    this.retirement = retirement;
  }

  /** Adds one that was mapped just now; it takes the place of a damaged one of the same name. */
  void add(ServedVersion version) {
    byId.put(version.id(), version);
    newest = version;
  }

  /** The one that was added last. */
  Optional<ServedVersion> newest() {
    return Optional.ofNullable(newest);
  }

  /** The version, pinned for the caller, if it is mapped and not known to be damaged. */
  Optional<ServedVersion> pin(VersionName name) {
    ServedVersion version = byId.get(name.id());
    return version != null
            && version.name().equals(name)
            && !damaged.contains(version)
            && version.pin()
        ? Optional.of(version)
        : Optional.empty();
  }

  /** The version of an id, if it is mapped. */
  Optional<ServedVersion> find(String id) {
    return Optional.ofNullable(byId.get(id));
  }

  // ---- damaged ones --------------------------------------------------------------------------

  /** Called by a reader that met a damaged block. */
  void reportDamage(ServedVersion version) {
    replacementFailures.remove(version);
    damaged.add(version);
  }

  List<ServedVersion> damaged() {
    return List.copyOf(damaged);
  }

  boolean anyDamaged() {
    return !damaged.isEmpty();
  }

  /** Lets those who wait for the replacement look again. */
  void replaced(ServedVersion bad) {
    damaged.remove(bad);
  }

  void replacementFailed(ServedVersion bad, Throwable failure) {
    replacementFailures.put(bad, failure);
  }

  Optional<Throwable> replacementFailure(ServedVersion bad) {
    return Optional.ofNullable(replacementFailures.get(bad));
  }

  // ---- on their way out ----------------------------------------------------------------------

  /** Unmaps those that nobody reads any more, and lets go of their files; gives them. */
  List<ServedVersion> unmapUnread(LocalRepository local) {
    List<ServedVersion> unmapped =
        retirement.unmap(
            local,
            version -> {
              byId.remove(version.id(), version);
              // A replacement of a damaged index has the same files' name and is in use.
              return !byId.containsKey(version.id());
            });
    unmapped.forEach(replacementFailures::remove);
    return unmapped;
  }
}
