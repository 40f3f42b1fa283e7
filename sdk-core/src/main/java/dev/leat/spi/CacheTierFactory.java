package dev.leat.spi;

import java.net.URI;
import java.util.Map;
import java.util.Set;

/**
 * Makes a {@link CacheTier} of options, for those who write options instead of Java: SQL and
 * catalogs. Found by {@link java.util.ServiceLoader}; needs a public constructor without
 * parameters.
 */
public interface CacheTierFactory {

  /** The name of the tier in options, e.g. {@code alluxio}: lower-case letters, digits, hyphens. */
  String identifier();

  /** The options that the tier has, by name, with what each says; no others are given to it. */
  Map<String, String> options();

  /**
   * The schemes of the locations that are the tier's own, in lower case: a table at such a location
   * has the tier without naming it.
   */
  Set<String> schemes();

  /**
   * Makes the tier.
   *
   * @param location where the table is
   * @param options the values of {@link #options()} that were given
   * @throws IllegalArgumentException if an option is missing or makes no sense; the message says
   *     which, and what to do, and never holds a secret
   */
  CacheTier create(URI location, Map<String, String> options);
}
