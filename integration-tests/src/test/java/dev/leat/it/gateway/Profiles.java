package dev.leat.it.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import dev.leat.it.text.AvroFiles;
import dev.leat.it.text.OrcFiles;
import dev.leat.it.text.ParquetFile;
import dev.leat.testserver.GatewayRow;
import dev.leat.testserver.HiveTable;
import dev.leat.testserver.HiveTable.Storage;
import dev.leat.testserver.RealS3;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.apache.avro.file.CodecFactory;
import org.apache.orc.CompressionKind;
import org.jspecify.annotations.Nullable;

/**
 * The same two customers as tables of all formats: nested columns, an exact number, a day and a
 * time, as far as Hive has them in the format.
 */
final class Profiles {
  private static final List<Column> COLUMNS =
      List.of(
          new Column("customer_id", ColumnType.STRING),
          new Column("tags", ColumnType.parse("array<string>")),
          new Column("limits", ColumnType.parse("map<string,int>")),
          new Column("address", ColumnType.parse("struct<city:string,zip:int>")),
          new Column("credit", ColumnType.parse("decimal(10,2)")),
          new Column("joined", ColumnType.TIMESTAMP),
          new Column("born", ColumnType.DATE));

  private static final List<@Nullable Object[]> ROWS =
      List.of(
          new Object[] {
            "anna",
            List.of("vip", "early"),
            Map.of("daily", 3),
            List.of("Berlin", 10115),
            new BigDecimal("12.50"),
            LocalDateTime.parse("2020-01-02T03:04:05.678"),
            LocalDate.of(1990, 5, 6)
          },
          new @Nullable Object[] {
            "chloé",
            List.of("vip"),
            Map.of("weekly", 9),
            java.util.Arrays.asList("Évry", null),
            new BigDecimal("-0.01"),
            LocalDateTime.parse("1999-12-31T23:59:59.001"),
            LocalDate.of(2000, 2, 29)
          });

  private static final String TEXT =
      """
      anna|vip,early|daily:3|Berlin,10115|12.50|2020-01-02 03:04:05.678|1990-05-06
      chloé|vip|weekly:9|Évry,\\N|-0.01|1999-12-31 23:59:59.001|2000-02-29
      """;

  private static final String JSON =
      """
      {"customer_id":"anna","tags":["vip","early"],"limits":{"daily":3},"address":{"city":"Berlin","zip":10115},"credit":12.50,"joined":"2020-01-02 03:04:05.678","born":"1990-05-06"}
      {"customer_id":"chloé","tags":["vip"],"limits":{"weekly":9},"address":{"city":"Évry"},"credit":-0.01,"joined":"1999-12-31 23:59:59.001","born":"2000-02-29"}
      """;

  /** All is text in this format. */
  private static final String CSV =
      """
      "anna","vip","3","Berlin","10115","12.50","2020-01-02 03:04:05.678","1990-05-06"
      "chloé","vip",,"Évry",,"-0.01","1999-12-31 23:59:59.001","2000-02-29"
      """;

  /** What is looked at of each table, and of that of CSV, whose columns are plain. */
  private static final String VALUES =
      "c.tags[1], CAST(c.limits['daily'] AS STRING), c.address.city, CAST(c.address.zip AS STRING),"
          + " CAST(c.credit AS STRING), CAST(CAST(c.joined AS TIMESTAMP(3)) AS STRING),"
          + " CAST(c.born AS STRING)";

  private static final String CSV_VALUES =
      "c.tag, NULLIF(c.daily, ''), c.city, NULLIF(c.zip, ''), c.credit, c.joined, c.born";

  private final Map<String, Storage> storages = new LinkedHashMap<>();

  private Profiles() {}

  /** Writes the files of all tables. */
  static Profiles write(Path directory, RealS3 s3, String bucket) throws IOException {
    Profiles profiles = new Profiles();
    profiles.put(s3, bucket, "text", Storage.TEXTFILE, TEXT.getBytes(UTF_8));
    profiles.put(s3, bucket, "json", Storage.TEXTFILE, JSON.getBytes(UTF_8));
    profiles.put(s3, bucket, "csv", Storage.TEXTFILE, CSV.getBytes(UTF_8));
    Path file = directory.resolve("profiles.parquet");
    new ParquetFile(new Random(1), COLUMNS).write(file, COLUMNS, ROWS, Map.of());
    profiles.put(s3, bucket, "parquet", Storage.PARQUET, Files.readAllBytes(file));
    file = directory.resolve("profiles.orc");
    OrcFiles.write(file, COLUMNS, ROWS, CompressionKind.SNAPPY, true);
    profiles.put(s3, bucket, "orc", Storage.ORC, Files.readAllBytes(file));
    file = directory.resolve("profiles.avro");
    AvroFiles.write(file, COLUMNS, ROWS, CodecFactory.snappyCodec(), Map.of());
    profiles.put(s3, bucket, "avro", Storage.AVRO, Files.readAllBytes(file));
    return profiles;
  }

  private void put(RealS3 s3, String bucket, String name, Storage storage, byte[] content) {
    s3.put(bucket, "profiles_" + name + "/part-0", content);
    storages.put(name, storage);
  }

  /** What {@code CREATE TABLE} in Hive makes of them. */
  List<HiveTable> tables(String root) {
    List<HiveTable> tables = new ArrayList<>();
    storages.forEach(
        (name, storage) -> {
          HiveTable table =
              HiveTable.named("default", "profiles_" + name)
                  .storedAs(storage)
                  .location(root + "/profiles_" + name);
          if (name.equals("csv")) {
            table = table.serde("org.apache.hadoop.hive.serde2.OpenCSVSerde");
            for (String column :
                List.of("customer_id", "tag", "daily", "city", "zip", "credit", "joined", "born")) {
              table = table.column(column, "string");
            }
          } else {
            for (Column column : COLUMNS) {
              table = table.column(column.name(), column.type().toString());
            }
          }
          if (name.equals("json")) {
            table = table.serde("org.apache.hadoop.hive.serde2.JsonSerDe");
          }
          if (name.equals("text")) {
            table =
                table
                    .serdeProperty("field.delim", "|")
                    .serdeProperty("collection.delim", ",")
                    .serdeProperty("mapkey.delim", ":");
          }
          tables.add(table);
        });
    return tables;
  }

  /** One query that joins the events with each of the tables. */
  String joins() {
    return storages.keySet().stream()
        .map(
            name ->
                "SELECT '"
                    + name
                    + "', e.event_id, "
                    + (name.equals("csv") ? CSV_VALUES : VALUES)
                    + " FROM video_events AS e JOIN profiles_"
                    + name
                    + " FOR SYSTEM_TIME AS OF e.proc_time AS c ON e.customer_id = c.customer_id")
        .collect(Collectors.joining(" UNION ALL "));
  }

  /** What it gives for one event of each customer. */
  List<GatewayRow> joined() {
    List<GatewayRow> rows = new ArrayList<>();
    for (String name : storages.keySet()) {
      rows.add(
          row(
              name,
              "e1",
              "vip",
              "3",
              "Berlin",
              "10115",
              "12.50",
              "2020-01-02 03:04:05.678",
              "1990-05-06"));
      rows.add(
          row(
              name,
              "e3",
              "vip",
              null,
              "Évry",
              null,
              "-0.01",
              "1999-12-31 23:59:59.001",
              "2000-02-29"));
    }
    return rows;
  }

  private static GatewayRow row(@Nullable String... fields) {
    return new GatewayRow("INSERT", java.util.Arrays.asList(fields));
  }
}
