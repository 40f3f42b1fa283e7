package dev.leat.hive;

import static java.util.Objects.requireNonNull;

import dev.leat.Dimension;
import dev.leat.DimensionRow;
import dev.leat.Partitions;
import dev.leat.format.Column;
import dev.leat.hive.internal.HivePartition;
import dev.leat.hive.internal.HivePartitions;
import dev.leat.hive.internal.HiveTable;
import dev.leat.spi.RowFormat;
import dev.leat.spi.StoreSettings;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A table of a Hive metastore on its way to a {@link Dimension}; next what a row becomes.
 *
 * <p>It holds what the metastore said when it was asked. Partitions that are added later are found
 * by listing the table's location; a table that is dropped or altered later is still read as it was
 * then, until the job is defined anew.
 *
 * <p>Immutable; each method gives a copy.
 */
public final class HiveDimension {
  private final HiveTable table;
  private final String name;
  private final @Nullable StoreSettings settings;
  private final @Nullable Partitions partitions;

  private HiveDimension(
      HiveTable table,
      String name,
      @Nullable StoreSettings settings,
      @Nullable Partitions partitions) {
    this.table = table;
    this.name = name;
    this.settings = settings;
    this.partitions = partitions;
  }

  static HiveDimension of(HiveTable table, List<HivePartition> partitions) {
    return new HiveDimension(
        table,
        table.name().toString(),
        null,
        table.partitionColumns().isEmpty()
            ? null
            : Partitions.from(HivePartitions.of(table, partitions, Instant.now())));
  }

  /** Names the dimension otherwise than by its database and table. */
  public HiveDimension named(String newName) {
    // Checks the name at this call.
    Dimension.named(newName);
    return new HiveDimension(table, newName, settings, partitions);
  }

  /** What the store of the location needs to know beside the credentials. */
  public HiveDimension stored(StoreSettings newSettings) {
    return new HiveDimension(table, name, requireNonNull(newSettings, "newSettings"), partitions);
  }

  /**
   * Says which of the table's partitions are joined with: e.g. {@code partitions(all ->
   * all.latest())}.
   *
   * @throws IllegalArgumentException if the table is not partitioned
   */
  public HiveDimension partitions(UnaryOperator<Partitions> choice) {
    requireNonNull(choice, "choice");
    if (partitions == null) {
      throw new IllegalArgumentException(
          "the table " + table.name() + " is not partitioned; leave partitions(…) out");
    }
    return new HiveDimension(
        table, name, settings, requireNonNull(choice.apply(partitions), "the chosen partitions"));
  }

  /** The columns of the table, those of the partition last. */
  public List<Column> columns() {
    return table.allColumns();
  }

  /** Where the table is. */
  public URI location() {
    return table.location();
  }

  /**
   * Says what a row becomes.
   *
   * @param rowType as in {@link Dimension.LocatedStage#rows(Class, RowFormat)}; columns that it
   *     lacks are not kept
   */
  public <D> Dimension.RowsStage<D> rows(Class<D> rowType) {
    return located().rows(rowType, table.format().open());
  }

  /** Keeps all columns of the table, as rows that are read by column name. */
  public Dimension.RowsStage<DimensionRow> rows() {
    return located().rows(table.allColumns(), table.format().open());
  }

  /**
   * Keeps some columns of the table, as rows that are read by column name.
   *
   * @param columns their names, those of the key among them
   */
  public Dimension.RowsStage<DimensionRow> rows(String... columns) {
    List<Column> kept = new ArrayList<>();
    for (String column : requireNonNull(columns, "columns")) {
      kept.add(
          find(column)
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "the table "
                              + table.name()
                              + " has no column '"
                              + column
                              + "', only "
                              + table.allColumns().stream().map(Column::name).toList())));
    }
    return located().rows(kept, table.format().open());
  }

  private Optional<Column> find(String column) {
    return table.allColumns().stream()
        .filter(each -> each.name().equalsIgnoreCase(column))
        .findFirst();
  }

  private Dimension.LocatedStage located() {
    Dimension.NamedStage named = Dimension.named(name);
    String location = table.location().toString();
    Dimension.LocatedStage located =
        settings == null ? named.at(location) : named.at(location, settings);
    return partitions == null ? located : located.partitionedBy(partitions);
  }

  /** The table and its location. */
  @Override
  public String toString() {
    return "HiveDimension[" + table.name() + " at " + table.location() + "]";
  }
}
