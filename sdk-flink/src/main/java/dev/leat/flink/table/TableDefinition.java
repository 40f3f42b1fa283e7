package dev.leat.flink.table;

import dev.leat.Dimension;
import dev.leat.DimensionKey;
import dev.leat.DimensionRow;
import dev.leat.DuplicateKeys;
import dev.leat.Guard;
import dev.leat.MalformedRows;
import dev.leat.Partitions;
import dev.leat.Refresh;
import dev.leat.RequestRate;
import dev.leat.RowFilter;
import dev.leat.Staleness;
import dev.leat.VersionRetention;
import dev.leat.flink.table.LeatOptions.IndexColumns;
import dev.leat.format.Column;
import dev.leat.format.Formats;
import dev.leat.internal.engine.ServiceRequest;
import dev.leat.spi.CacheTier;
import dev.leat.spi.RowFormat;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.table.catalog.ObjectIdentifier;
import org.apache.flink.table.catalog.ResolvedCatalogTable;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;

/**
 * A table as its schema and options define it, before a query says what it wants of it. Immutable.
 *
 * @param name the name of the dimension
 * @param location where the files are
 * @param format how rows stand in them
 * @param columns the columns, in the order of the table
 * @param partitions the partitions that are read, if the table is partitioned
 * @param types Flink's types of the columns
 * @param storeSettings settings of the stores
 * @param tiers the cache tiers, the nearest first
 * @param refresh when the source is looked at
 * @param staleness how old a version may be served
 * @param guard which versions are held back
 * @param retention how long versions are kept that are served no more
 * @param sourceRate how many requests the source gets
 * @param successFile the file that marks the table as complete, if it is not partitioned
 * @param malformedRows what is done with rows that cannot be read
 * @param indexColumns which columns an index holds
 * @param async whether an asynchronous lookup is offered
 */
record TableDefinition(
    String name,
    URI location,
    RowFormat format,
    List<Column> columns,
    Optional<Partitions> partitions,
    List<LogicalType> types,
    Optional<TableStoreSettings> storeSettings,
    List<CacheTier> tiers,
    Refresh refresh,
    Staleness staleness,
    Guard guard,
    VersionRetention retention,
    RequestRate sourceRate,
    Optional<String> successFile,
    MalformedRows malformedRows,
    IndexColumns indexColumns,
    boolean async) {
  private static final int LONGEST_NAME = 128;

  /**
   * Reads a table's definition.
   *
   * @param physical the type of the columns that are not computed
   */
  static TableDefinition of(
      ObjectIdentifier identifier,
      ResolvedCatalogTable table,
      DataType physical,
      TableOptions options) {
    RowType row = (RowType) physical.getLogicalType();
    List<Column> columns = new ArrayList<>();
    for (RowType.RowField field : row.getFields()) {
      columns.add(new Column(field.getName(), ColumnTypes.of(field.getName(), field.getType())));
    }
    List<Column> ofFiles = new ArrayList<>(columns);
    ofFiles.removeIf(column -> table.getPartitionKeys().contains(column.name()));
    String name = options.name().orElseGet(() -> nameOf(identifier));
    // Checks the name and the location.
    Dimension.named(name).at(options.path());
    URI location = URI.create(options.path());
    Refresh refresh = options.refresh();
    RefreshOptions versions = options.refreshOptions();
    return new TableDefinition(
        name,
        location,
        Formats.create(options.format(), ofFiles, options.formatOptions(options.format())),
        List.copyOf(columns),
        options.partitions(() -> partitions(table, columns), table.getPartitionKeys()),
        row.getChildren(),
        options.storeSettings(),
        options.tiers(location),
        refresh,
        versions.staleness(refresh),
        versions.guard(),
        versions.retention(),
        versions.sourceRate(),
        table.getPartitionKeys().isEmpty() ? options.successFile() : Optional.empty(),
        options.malformedRows(),
        options.indexColumns(),
        options.async());
  }

  /** Those that the table's catalog knows, else its directories. */
  private static Partitions partitions(ResolvedCatalogTable table, List<Column> columns) {
    if (table.getOrigin() instanceof PartitionedCatalogTable knowing) {
      return knowing.partitions();
    }
    return Partitions.inDirectories(
        table.getPartitionKeys().stream()
            .flatMap(key -> columns.stream().filter(column -> column.name().equals(key)))
            .toArray(Column[]::new));
  }

  /** The catalog, database and name of the table, as far as a dimension's name can hold them. */
  private static String nameOf(ObjectIdentifier identifier) {
    String full = String.join(".", identifier.toList());
    String name = full.replaceAll("[^A-Za-z0-9_.-]", "_");
    if (name.equals(full) && name.length() <= LONGEST_NAME && !name.matches("[_.-].*")) {
      return name;
    }
    // Different tables have different names, also where their characters had to be replaced.
    String distinct = "." + Integer.toHexString(full.hashCode());
    String begin = name.replaceFirst("^[_.-]+", "");
    return begin.substring(0, Math.min(begin.length(), LONGEST_NAME - distinct.length()))
        + distinct;
  }

  /** What a query asks the engine for. */
  ServiceRequest<DimensionKey, DimensionRow> request(
      Dimension<DimensionKey, DimensionRow> dimension) {
    return new ServiceRequest<>(
        dimension, DuplicateKeys.KEEP_ALL, tiers, refresh, staleness, guard, retention, sourceRate);
  }

  /**
   * The dimension that answers a query.
   *
   * @param kept the positions of the columns that its index holds
   * @param keys the positions of the columns of its key
   * @param filter which rows it has, or empty for all
   */
  Dimension<DimensionKey, DimensionRow> dimension(
      List<Integer> kept, List<Integer> keys, Optional<RowFilter> filter) {
    Dimension.NamedStage named = Dimension.named(name);
    Dimension.LocatedStage located =
        storeSettings.isPresent()
            ? named.at(location.toString(), storeSettings.get())
            : named.at(location.toString());
    if (successFile.isPresent()) {
      located = located.whenMarked(successFile.get());
    }
    Dimension<DimensionKey, DimensionRow> dimension =
        partitions
            .map(located::partitionedBy)
            .orElse(located)
            .rows(kept.stream().map(columns::get).toList(), format)
            .keyedBy(keys.stream().map(key -> columns.get(key).name()).toArray(String[]::new))
            .malformedRows(malformedRows);
    return filter.map(dimension::where).orElse(dimension);
  }
}
