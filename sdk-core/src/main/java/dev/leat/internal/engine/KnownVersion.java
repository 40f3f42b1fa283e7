package dev.leat.internal.engine;

import static java.util.Objects.requireNonNull;

import dev.leat.DimensionVersion;
import java.io.Serializable;
import java.time.Instant;

/**
 * A version as one process tells another about it.
 *
 * @param id identifies the content
 * @param fingerprint what the id was cut from; an index is only taken if it was built from it
 * @param seen when the source was last seen to have the content
 */
public record KnownVersion(String id, String fingerprint, Instant seen) implements Serializable {

  /** Checks that all are there. */
  public KnownVersion {
    requireNonNull(id, "id");
    requireNonNull(fingerprint, "fingerprint");
    requireNonNull(seen, "seen");
  }

  /** The same without the fingerprint. */
  public DimensionVersion version() {
    return new DimensionVersion(id, seen);
  }

  /** The same version, seen at another time. */
  public KnownVersion seenAt(Instant when) {
    return new KnownVersion(id, fingerprint, when);
  }
}
