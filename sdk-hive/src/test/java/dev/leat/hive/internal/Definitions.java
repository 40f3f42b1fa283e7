package dev.leat.hive.internal;

import io.trino.hive.thrift.metastore.FieldSchema;
import io.trino.hive.thrift.metastore.Partition;
import io.trino.hive.thrift.metastore.SerDeInfo;
import io.trino.hive.thrift.metastore.StorageDescriptor;
import io.trino.hive.thrift.metastore.Table;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

/** Definitions as a metastore sends them. */
final class Definitions {
  static final TableName NAME = new TableName("default", "customers");

  private static final String HIVE = "org.apache.hadoop.hive.";
  static final String TEXT_SERDE = HIVE + "serde2.lazy.LazySimpleSerDe";
  static final String TEXT_INPUT = "org.apache.hadoop.mapred.TextInputFormat";

  private Definitions() {}

  /** A table in text with the columns {@code customer_id STRING, visits INT}. */
  static Table table() {
    Table table = new Table();
    table.setDbName(NAME.database());
    table.setTableName(NAME.table());
    table.setTableType("EXTERNAL_TABLE");
    table.setParameters(new HashMap<>());
    table.setPartitionKeys(new ArrayList<>());
    table.setSd(storage("s3a://lake/customers"));
    return table;
  }

  static Table table(String serde, String inputFormat) {
    Table table = table();
    table.getSd().getSerdeInfo().setSerializationLib(HIVE + serde);
    table
        .getSd()
        .setInputFormat(inputFormat.contains(".mapred.") ? inputFormat : HIVE + inputFormat);
    return table;
  }

  static StorageDescriptor storage(String location) {
    StorageDescriptor storage = new StorageDescriptor();
    storage.setLocation(location);
    storage.setInputFormat(TEXT_INPUT);
    storage.setSerdeInfo(new SerDeInfo("", TEXT_SERDE, new HashMap<>()));
    storage.setCols(columns("customer_id string", "visits int"));
    return storage;
  }

  static List<FieldSchema> columns(String... columns) {
    List<FieldSchema> fields = new ArrayList<>();
    for (String column : columns) {
      int blank = column.indexOf(' ');
      fields.add(new FieldSchema(column.substring(0, blank), column.substring(blank + 1), ""));
    }
    return fields;
  }

  static Table withColumns(Table table, String... columns) {
    table.getSd().setCols(columns(columns));
    return table;
  }

  static Table with(Table table, String parameter, String value) {
    table.getParameters().put(parameter, value);
    return table;
  }

  static Table withSerdeProperty(Table table, String property, String value) {
    table.getSd().getSerdeInfo().getParameters().put(property, value);
    return table;
  }

  static Partition partition(String location, String... values) {
    Partition partition = new Partition();
    partition.setValues(List.of(values));
    partition.setSd(storage(location));
    partition.setParameters(new HashMap<>());
    partition.setCreateTime(1_700_000_000);
    return partition;
  }

  static HiveTable read(Table table) {
    return HiveTable.of(NAME, table);
  }
}
