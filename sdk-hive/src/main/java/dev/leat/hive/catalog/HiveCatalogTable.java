package dev.leat.hive.catalog;

import dev.leat.Partitions;
import dev.leat.flink.table.PartitionedCatalogTable;
import dev.leat.format.Column;
import dev.leat.hive.catalog.LeatCatalogOptions.NewPartitions;
import dev.leat.hive.internal.HivePartitions;
import dev.leat.hive.internal.HiveTable;
import dev.leat.hive.internal.MetastoreAddress;
import dev.leat.hive.internal.MetastoreClient;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.catalog.CatalogBaseTable;
import org.apache.flink.table.catalog.CatalogTable;

/**
 * A table of a metastore as a Leat table. Its options say all but the partitions, for which the
 * metastore is asked when a query with the table is planned.
 */
final class HiveCatalogTable implements PartitionedCatalogTable {
  private final HiveTable table;
  private final Map<String, String> options;
  private final MetastoreAddress address;
  private final NewPartitions newPartitions;

  private HiveCatalogTable(
      HiveTable table,
      Map<String, String> options,
      MetastoreAddress address,
      NewPartitions newPartitions) {
    this.table = table;
    this.options = options;
    this.address = address;
    this.newPartitions = newPartitions;
  }

  /**
   * A table.
   *
   * @param defaults options that hold where the table has none of its own
   */
  static HiveCatalogTable of(
      HiveTable table,
      Map<String, String> defaults,
      MetastoreAddress address,
      NewPartitions newPartitions) {
    Map<String, String> options = new TreeMap<>(defaults);
    table
        .parameters()
        .forEach(
            (key, value) -> {
              if (LeatCatalogOptions.TABLE_PREFIXES.stream().anyMatch(key::startsWith)) {
                options.put(key, value);
              }
            });
    if (table.partitionColumns().isEmpty()) {
      options
          .keySet()
          .removeIf(
              key ->
                  LeatCatalogOptions.PARTITIONED_TABLE_PREFIXES.stream().anyMatch(key::startsWith));
    }
    String format = table.format().identifier();
    options.put("connector", LeatCatalogOptions.IDENTIFIER);
    options.put("path", table.location().toString());
    options.put("format", format);
    table.format().options().forEach((key, value) -> options.put(format + "." + key, value));
    return new HiveCatalogTable(table, Map.copyOf(options), address, newPartitions);
  }

  @Override
  public Partitions partitions() {
    Instant now = Instant.now();
    try (MetastoreClient client = MetastoreClient.open(address)) {
      HivePartitions partitions = HivePartitions.of(table, client.partitions(table), now);
      return Partitions.from(
          newPartitions == NewPartitions.LISTED ? partitions : partitions.withoutNewOnes());
    }
  }

  @Override
  public Schema getUnresolvedSchema() {
    Schema.Builder schema = Schema.newBuilder();
    List<Column> columns = table.allColumns();
    for (int i = 0; i < columns.size(); i++) {
      schema.column(columns.get(i).name(), FlinkTypes.of(columns.get(i).type()));
      if (!table.comments().get(i).isEmpty()) {
        schema.withComment(table.comments().get(i));
      }
    }
    return schema.build();
  }

  @Override
  public boolean isPartitioned() {
    return !table.partitionColumns().isEmpty();
  }

  @Override
  public List<String> getPartitionKeys() {
    return table.partitionColumns().stream().map(Column::name).toList();
  }

  @Override
  public Map<String, String> getOptions() {
    return options;
  }

  @Override
  public CatalogTable copy(Map<String, String> newOptions) {
    return new HiveCatalogTable(table, Map.copyOf(newOptions), address, newPartitions);
  }

  @Override
  public CatalogBaseTable copy() {
    return this;
  }

  @Override
  public String getComment() {
    return table.parameters().getOrDefault("comment", "");
  }

  @Override
  public Optional<String> getDescription() {
    return Optional.of("The table " + table.name() + " of a Hive metastore");
  }

  @Override
  public Optional<String> getDetailedDescription() {
    return getDescription();
  }
}
