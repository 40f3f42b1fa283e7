package dev.leat;

import static java.util.Objects.requireNonNull;

import java.io.Serializable;
import java.time.Instant;

/**
 * One content of a dimension's source: the same files with the same content, read by the same
 * definition, are the same version, in every process.
 *
 * @param id identifies the content: hexadecimal digits of its fingerprint
 * @param seen when the source was last seen to have this content
 */
public record DimensionVersion(String id, Instant seen) implements Serializable {

  /** Checks that both are there. */
  public DimensionVersion {
    requireNonNull(id, "id");
    requireNonNull(seen, "seen");
  }
}
