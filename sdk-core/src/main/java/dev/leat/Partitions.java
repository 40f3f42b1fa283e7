package dev.leat;

import static java.util.Objects.requireNonNull;

import dev.leat.format.Column;
import dev.leat.internal.partition.DirectoryPartitions;
import dev.leat.internal.partition.ListedPartitions;
import dev.leat.internal.partition.PartitionSelection;
import dev.leat.spi.Partition;
import dev.leat.spi.PartitionSource;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The partitions of a partitioned table: where they come from, and which of them are joined with.
 *
 * <pre>{@code
 * Dimension.named("prices")
 *     .at("s3a://lake/prices/")                                    // dt=2026-11-28/, dt=2026-11-29/ …
 *     .partitionedBy(Partitions.inDirectories(new Column("dt", ColumnType.DATE)).latest())
 * }</pre>
 *
 * <p>Immutable, with value equality; each method gives a copy.
 *
 * @serial exclude
 */
public final class Partitions implements PartitionSource {
  private static final long serialVersionUID = 1L;

  private final PartitionSource all;
  private final PartitionSelection selection;

  private Partitions(PartitionSource all, PartitionSelection selection) {
    this.all = all;
    this.selection = selection;
  }

  /**
   * The directories below the table's location whose names say the values, as Hive and Spark write
   * them: {@code country=DE/dt=2026-11-29/}. Special characters in a value are escaped as {@code
   * %3A}; {@code __HIVE_DEFAULT_PARTITION__} is NULL. A directory is a partition while a file is in
   * it; files that lie elsewhere below the location belong to no partition and are left out.
   *
   * @param columns the partition's columns from the outermost to the innermost; their names are
   *     found in those of the directories whatever the case
   */
  public static Partitions inDirectories(Column... columns) {
    return from(new DirectoryPartitions(List.of(requireNonNull(columns, "columns"))));
  }

  /**
   * Partitions that are known beforehand and stay the same; what is in them may change.
   *
   * @param columns the partition's columns from the outermost to the innermost
   * @param partitions the partitions
   */
  public static Partitions listed(List<Column> columns, List<Partition> partitions) {
    return from(new ListedPartitions(columns, partitions));
  }

  /** Partitions that somebody else knows, such as a metastore. */
  public static Partitions from(PartitionSource source) {
    return new Partitions(requireNonNull(source, "source"), PartitionSelection.ALL);
  }

  /**
   * Only the last partition, in the order of the values: of the first column, then of the second
   * and so on; numbers and days in their own order, NULL first. One without data is passed over.
   */
  public Partitions latest() {
    return new Partitions(all, selection.latestByValues());
  }

  /**
   * Only the partitions of the last time that their values say. Those without data or with a NULL
   * are passed over.
   *
   * @param pattern how the values make a time {@code yyyy-MM-dd} or {@code yyyy-MM-dd HH:mm:ss}:
   *     the names of columns after {@code $}, e.g. {@code $year-$month-$day} or {@code $dt
   *     $hour:00:00}
   */
  public Partitions latestByTime(String pattern) {
    return new Partitions(all, selection.latestByTime(columns(), pattern));
  }

  /**
   * Only the partition that was created last, as far as its source knows that; of a directory, when
   * the oldest of its files was written. Of several, the last one in the order of the values. One
   * without data is passed over.
   */
  public Partitions latestByCreation() {
    return new Partitions(all, selection.latestByCreation());
  }

  /**
   * Only partitions in whose directory a file marks them as complete, e.g. {@code _SUCCESS}. Says
   * which ones there are before the latest of them is chosen.
   *
   * @param fileName the name of the file, directly in the partition's directory
   */
  public Partitions whenMarked(String fileName) {
    return new Partitions(all, selection.whenMarked(fileName));
  }

  @Override
  public List<Column> columns() {
    return all.columns();
  }

  @Override
  public String definition() {
    return all.definition() + selection.definition();
  }

  @Override
  public List<Partition> partitions(Table table) throws IOException {
    return selection.select(columns(), all.partitions(table), table);
  }

  /** Two are equal if they give the same partitions of every table. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Partitions that
        && all.equals(that.all)
        && selection.equals(that.selection);
  }

  @Override
  public int hashCode() {
    return definition().hashCode();
  }

  /** The definition. */
  @Override
  public String toString() {
    return "Partitions[" + definition() + "]";
  }
}
