package dev.leat.hive.internal;

import dev.leat.Partitions;
import dev.leat.format.Column;
import dev.leat.spi.Blob;
import dev.leat.spi.Partition;
import dev.leat.spi.PartitionSource;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The partitions that the metastore had when the job was defined, and those that came after: the
 * directories below the table's location that are named as Hive names them, are not known, and got
 * a file since. So a task never asks the metastore.
 *
 * <p>A directory that the metastore did not know and that was left alone for {@value #GRACE_HOURS}
 * h before is no partition, as for Hive. That time is given since a partition is written before it
 * is added to the metastore, and since clocks differ.
 */
public final class HivePartitions implements PartitionSource {
  private static final long serialVersionUID = 1L;
  private static final int GRACE_HOURS = 1;

  private final List<Column> columns;
  private final ArrayList<Partition> known;
  private final Instant since;
  private final boolean findsNew;

  private HivePartitions(
      List<Column> columns, List<Partition> known, Instant since, boolean findsNew) {
    this.columns = List.copyOf(columns);
    this.known = new ArrayList<>(known);
    this.since = since;
    this.findsNew = findsNew;
  }

  /**
   * The partitions of a table.
   *
   * @param known those that the metastore has
   * @param asOf when it was asked
   */
  public static HivePartitions of(HiveTable table, List<HivePartition> known, Instant asOf) {
    List<Partition> partitions = new ArrayList<>();
    for (HivePartition each : known) {
      Partition partition = Partition.at(each.location(), each.values()).createdAt(each.created());
      partitions.add(
          each.format().equals(table.format())
              ? partition
              : partition.withFormat(each.format().open()));
    }
    return new HivePartitions(
        table.partitionColumns(), partitions, asOf.minus(Duration.ofHours(GRACE_HOURS)), true);
  }

  /** The same without those that come later. */
  public HivePartitions withoutNewOnes() {
    return new HivePartitions(columns, known, since, false);
  }

  @Override
  public List<Column> columns() {
    return columns;
  }

  /** The partitions themselves are part of each version. */
  @Override
  public String definition() {
    return "hive "
        + (findsNew ? "and new " : "")
        + Partitions.inDirectories(columns.toArray(Column[]::new)).definition();
  }

  @Override
  public List<Partition> partitions(Table table) throws IOException {
    if (!findsNew) {
      return List.copyOf(known);
    }
    Set<List<@Nullable String>> knownValues = new HashSet<>();
    known.forEach(partition -> knownValues.add(partition.values()));
    List<Partition> all = new ArrayList<>(known);
    for (Partition found :
        Partitions.inDirectories(columns.toArray(Column[]::new)).partitions(table)) {
      if (!knownValues.contains(found.values()) && isWrittenSince(found, table)) {
        all.add(found);
      }
    }
    return all;
  }

  private boolean isWrittenSince(Partition found, Table table) throws IOException {
    for (Blob file : table.list(found.location())) {
      if (file.modified().isAfter(since)) {
        return true;
      }
    }
    return false;
  }

  /**
   * When the metastore was asked does not count, so that two joins with one table share an index.
   */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof HivePartitions that
        && columns.equals(that.columns)
        && known.equals(that.known)
        && findsNew == that.findsNew;
  }

  @Override
  public int hashCode() {
    return Objects.hash(columns, known, findsNew);
  }

  /** The definition and how many partitions are known. */
  @Override
  public String toString() {
    return definition() + ", " + known.size() + " known";
  }
}
