package dev.leat.testserver.metastore;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hive.metastore.HiveMetaStoreClient;
import org.apache.hadoop.hive.metastore.api.Database;
import org.apache.hadoop.hive.metastore.api.FieldSchema;
import org.apache.hadoop.hive.metastore.api.GetTableRequest;
import org.apache.hadoop.hive.metastore.api.Partition;
import org.apache.hadoop.hive.metastore.api.SerDeInfo;
import org.apache.hadoop.hive.metastore.api.StorageDescriptor;
import org.apache.hadoop.hive.metastore.api.Table;
import org.apache.thrift.TException;

/**
 * What the metastore holds. A command is a word followed by {@code key=value} words, their values
 * URL-encoded:
 *
 * <ul>
 *   <li>{@code create-database name=}
 *   <li>{@code create-table database= name= type= location= inputFormat= outputFormat= serde=
 *       column=name:type… partitionKey=name:type… serdeProperty=key:value… parameter=key:value…
 *       viewText=}
 *   <li>{@code alter-table}, with the whole new definition
 *   <li>{@code drop-table database= name=}
 *   <li>{@code add-partition} and {@code alter-partition database= name= value=… location=
 *       inputFormat= outputFormat= serde= column= serdeProperty= parameter=}; what is left out is
 *       the table's
 *   <li>{@code drop-partition database= name= value=…}
 * </ul>
 */
final class Definitions {

  private final HiveMetaStoreClient client;

  Definitions(HiveMetaStoreClient client) {
    this.client = client;
  }

  String run(String line) throws TException {
    String[] words = line.split(" ", -1);
    Words arguments = new Words(words);
    switch (words[0]) {
      case "create-database" ->
          client.createDatabase(
              new Database(arguments.one("name"), "", "file:///nowhere", new HashMap<>()));
      case "create-table" -> client.createTable(table(arguments));
      case "alter-table" ->
          client.alter_table(arguments.one("database"), arguments.one("name"), table(arguments));
      case "drop-table" ->
          client.dropTable(arguments.one("database"), arguments.one("name"), false, false);
      case "add-partition" -> client.add_partition(partition(arguments));
      case "alter-partition" ->
          client.alter_partition(
              arguments.one("database"), arguments.one("name"), partition(arguments));
      case "drop-partition" ->
          client.dropPartition(
              arguments.one("database"), arguments.one("name"), arguments.all("value"), false);
      default -> throw new IllegalArgumentException("no command '" + words[0] + "'");
    }
    return "";
  }

  private static Table table(Words words) {
    StorageDescriptor storage = new StorageDescriptor();
    storage.setSerdeInfo(new SerDeInfo(words.one("name"), "", new HashMap<>()));
    storage.setParameters(new HashMap<>());
    storage.setBucketCols(new ArrayList<>());
    storage.setSortCols(new ArrayList<>());
    storage.setNumBuckets(-1);
    describe(storage, words);
    Table table = new Table();
    table.setDbName(words.one("database"));
    table.setTableName(words.one("name"));
    table.setTableType(words.one("type"));
    table.setOwner("tester");
    table.setCreateTime((int) (System.currentTimeMillis() / 1000));
    table.setSd(storage);
    table.setPartitionKeys(fields(words.all("partitionKey")));
    table.setParameters(pairs(words.all("parameter")));
    if (words.has("viewText")) {
      table.setViewOriginalText(words.one("viewText"));
      table.setViewExpandedText(words.one("viewText"));
    }
    return table;
  }

  /** A partition starts as a copy of the table's storage, as Hive's DDL makes it. */
  private Partition partition(Words words) throws TException {
    Table table = client.getTable(new GetTableRequest(words.one("database"), words.one("name")));
    StorageDescriptor storage = table.getSd().deepCopy();
    storage.unsetLocation();
    describe(storage, words);
    Partition partition = new Partition();
    partition.setDbName(table.getDbName());
    partition.setTableName(table.getTableName());
    partition.setValues(words.all("value"));
    partition.setCreateTime((int) (System.currentTimeMillis() / 1000));
    partition.setSd(storage);
    partition.setParameters(pairs(words.all("parameter")));
    return partition;
  }

  private static void describe(StorageDescriptor storage, Words words) {
    if (words.has("location")) {
      storage.setLocation(words.one("location"));
    }
    if (words.has("inputFormat")) {
      storage.setInputFormat(words.one("inputFormat"));
    }
    if (words.has("outputFormat")) {
      storage.setOutputFormat(words.one("outputFormat"));
    }
    if (words.has("serde")) {
      storage.getSerdeInfo().setSerializationLib(words.one("serde"));
    }
    if (words.has("column")) {
      storage.setCols(fields(words.all("column")));
    }
    if (words.has("serdeProperty")) {
      storage.getSerdeInfo().setParameters(pairs(words.all("serdeProperty")));
    }
  }

  private static List<FieldSchema> fields(List<String> columns) {
    List<FieldSchema> fields = new ArrayList<>();
    for (String column : columns) {
      int colon = column.indexOf(':');
      fields.add(new FieldSchema(column.substring(0, colon), column.substring(colon + 1), ""));
    }
    return fields;
  }

  private static Map<String, String> pairs(List<String> pairs) {
    Map<String, String> map = new HashMap<>();
    for (String pair : pairs) {
      int colon = pair.indexOf(':');
      map.put(pair.substring(0, colon), pair.substring(colon + 1));
    }
    return map;
  }

  /** The arguments of a command. */
  private static final class Words {

    private final Map<String, List<String>> values = new HashMap<>();

    Words(String[] words) {
      for (int i = 1; i < words.length; i++) {
        int equals = words[i].indexOf('=');
        values
            .computeIfAbsent(words[i].substring(0, equals), key -> new ArrayList<>())
            .add(URLDecoder.decode(words[i].substring(equals + 1), StandardCharsets.UTF_8));
      }
    }

    boolean has(String key) {
      return values.containsKey(key);
    }

    List<String> all(String key) {
      return values.getOrDefault(key, List.of());
    }

    String one(String key) {
      List<String> found = all(key);
      if (found.size() != 1) {
        throw new IllegalArgumentException(
            "'" + key + "' is wanted once, but is there " + found.size() + " times");
      }
      return found.get(0);
    }
  }
}
