package dev.leat.internal.engine.source;

import static java.util.Objects.requireNonNull;

/**
 * What a version is called, without what it consists of: enough to find its index.
 *
 * @param id the version's name in directories, logs and metrics
 * @param fingerprint the whole SHA-256 over definition, location and files, in hexadecimal digits
 */
public record VersionName(String id, String fingerprint) {
  /** How many digits of an id stand for the definition and the location. */
  public static final int LINEAGE_DIGITS = 8;

  /** Checks that both are there. */
  public VersionName {
    requireNonNull(id, "id");
    requireNonNull(fingerprint, "fingerprint");
    if (id.length() <= LINEAGE_DIGITS) {
      throw new IllegalArgumentException(
          "'" + id + "' is not the name of a version; it begins with the digits of its lineage");
    }
  }

  static VersionName of(String lineage, String fingerprint) {
    return new VersionName(lineage + fingerprint.substring(0, 16), fingerprint);
  }

  /** Eight digits that stand for the definition and the location. */
  public String lineage() {
    return id.substring(0, LINEAGE_DIGITS);
  }
}
