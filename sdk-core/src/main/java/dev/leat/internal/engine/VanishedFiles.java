package dev.leat.internal.engine;

import dev.leat.internal.engine.source.SourceVersion;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Tells listings that deserve a second look: those that lack files of the version before and have
 * nothing else that is new. So looks the listing of a store that is not consistent, while it is
 * behind. Belongs to the service's thread.
 */
final class VanishedFiles {
  private Set<String> before = Set.of();

  /** A version was loaded. */
  void loaded(SourceVersion version) {
    before = new HashSet<>(version.identities());
  }

  /** Whether the source may have files that a listing does not show. */
  boolean doubts(SourceVersion found) {
    List<String> files = found.identities();
    return files.size() < before.size() && before.containsAll(files);
  }
}
