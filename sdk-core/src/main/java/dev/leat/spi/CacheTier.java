package dev.leat.spi;

import java.io.Serializable;

/**
 * The configuration of one level of caching between a job and the source of a dimension. Immutable
 * and serializable; live clients are opened on the task. Has value equality: operators whose tiers
 * are equal share one index in a process.
 */
public interface CacheTier extends Serializable {

  /** A short name for logs and metrics, e.g. {@code alluxio}. */
  String tierName();
}
