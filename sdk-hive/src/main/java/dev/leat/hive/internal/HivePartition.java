package dev.leat.hive.internal;

import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A partition as a metastore defines it.
 *
 * @param values the values of the partition's columns; null for NULL
 * @param location its directory, which may lie anywhere
 * @param format how rows stand in its files
 * @param created when it was added to the metastore
 */
public record HivePartition(
    List<@Nullable String> values, URI location, StoredFormat format, Instant created) {

  /** Copies the values. */
  public HivePartition {
    values = Collections.unmodifiableList(new ArrayList<>(values));
  }
}
