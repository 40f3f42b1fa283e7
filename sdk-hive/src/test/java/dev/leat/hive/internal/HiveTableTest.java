package dev.leat.hive.internal;

import static dev.leat.hive.internal.Definitions.columns;
import static dev.leat.hive.internal.Definitions.partition;
import static dev.leat.hive.internal.Definitions.read;
import static dev.leat.hive.internal.Definitions.table;
import static dev.leat.hive.internal.Definitions.with;
import static dev.leat.hive.internal.Definitions.withColumns;
import static dev.leat.hive.internal.Definitions.withSerdeProperty;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import io.trino.hive.thrift.metastore.Partition;
import io.trino.hive.thrift.metastore.StorageDescriptor;
import io.trino.hive.thrift.metastore.Table;
import java.net.URI;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a definition of the metastore means. */
class HiveTableTest {

  @Test
  void aTableOfDelimitedTextHasItsDelimiterLocationAndColumns() {
    Table table = withSerdeProperty(table(), "field.delim", "|");
    withSerdeProperty(table, "serialization.format", "|");
    table.getSd().setLocation("alluxio://master-ip:19998/s3/streamedge-datalake/customers");

    HiveTable read = read(table);

    assertThat(read.location())
        .isEqualTo(URI.create("alluxio://master-ip:19998/s3/streamedge-datalake/customers"));
    assertThat(read.columns())
        .containsExactly(
            new Column("customer_id", ColumnType.STRING), new Column("visits", ColumnType.INT));
    assertThat(read.format().identifier()).isEqualTo("text");
    assertThat(read.format().options()).isEqualTo(Map.of("field-delimiter", "|"));
    assertThat(read.format().open().definition()).contains("delimiter=124");
  }

  @ParameterizedTest
  @CsvSource({
    "field.delim,            '\t', field-delimiter, \\u0009",
    "field.delim,            9, field-delimiter, \\u0009",
    "field.delim,            '||', field-delimiter, |",
    "serialization.format,   1, field-delimiter, \\u0001",
    "serialization.format,   ',', field-delimiter, ','",
    "serialization.format,   59, field-delimiter, ;",
    "escape.delim,           '\\', escape-character, '\\'",
    "escape.delim,           92, escape-character, '\\'",
    "serialization.null.format, '', null-literal, ''",
    "serialization.null.format, NULL, null-literal, NULL",
    "serialization.encoding, ISO-8859-1, charset, ISO-8859-1",
    "collection.delim,       ';', collection-delimiter, ;",
    "colelction.delim,       ';', collection-delimiter, ;",
    "mapkey.delim,           58, map-key-delimiter, :",
    "skip.header.line.count, 1, skip-header-lines, 1",
    "skip.footer.line.count, 2, skip-footer-lines, 2",
  })
  void propertiesOfTheSerdeAreOptionsOfTheFormat(
      String property, String value, String option, String expected) {
    HiveTable read = read(withSerdeProperty(table(), property, value));

    assertThat(read.format().options()).containsEntry(option, expected);
  }

  @Test
  void withoutAnyPropertyTheDelimiterIsHivesOwn() {
    assertThat(read(table()).format().options()).isEqualTo(Map.of("field-delimiter", "\\u0001"));
  }

  @Test
  void aPropertyOfTheTableWinsOverOneOfTheSerde() {
    Table table = withSerdeProperty(table(), "serialization.null.format", "of the serde");

    assertThat(read(with(table, "serialization.null.format", "of the table")).format().options())
        .containsEntry("null-literal", "of the table");
  }

  @ParameterizedTest
  @CsvSource({
    "serde2.lazy.LazySimpleSerDe, org.apache.hadoop.mapred.TextInputFormat, text",
    "serde2.OpenCSVSerde, org.apache.hadoop.mapred.TextInputFormat, csv",
    "serde2.JsonSerDe, org.apache.hadoop.mapred.TextInputFormat, json",
    "ql.io.parquet.serde.ParquetHiveSerDe, ql.io.parquet.MapredParquetInputFormat, parquet",
    "ql.io.orc.OrcSerde, ql.io.orc.OrcInputFormat, orc",
    "serde2.avro.AvroSerDe, ql.io.avro.AvroContainerInputFormat, avro",
  })
  void eachSerdeHasAFormat(String serde, String inputFormat, String format) {
    assertThat(read(table(serde, inputFormat)).format().identifier()).isEqualTo(format);
  }

  @Test
  void csvHasTextOnlyWhateverTheTableSaysAsForHive() {
    HiveTable read = read(table("serde2.OpenCSVSerde", Definitions.TEXT_INPUT));

    assertThat(read.columns())
        .extracting(Column::type)
        .containsExactly(ColumnType.STRING, ColumnType.STRING);
  }

  @Test
  void csvHasItsMarksAndHivesOwnDefaultOfTheEscapeIsTheBackslash() {
    Table table = table("serde2.OpenCSVSerde", Definitions.TEXT_INPUT);
    withSerdeProperty(table, "separatorChar", "\t");
    withSerdeProperty(table, "quoteChar", "'");
    withSerdeProperty(table, "escapeChar", "\"");
    with(table, "skip.header.line.count", "1");

    assertThat(read(table).format().options())
        .isEqualTo(
            Map.of(
                "field-delimiter", "\\u0009",
                "quote-character", "'",
                "skip-header-lines", "1"));
    withSerdeProperty(table, "escapeChar", "^");
    assertThat(read(table).format().options()).containsEntry("escape-character", "^");
  }

  @ParameterizedTest
  @CsvSource({
    "json.binary.format, rawstring",
    "json.stringify.complex.fields, true",
    "skip.header.line.count, 1",
    "serialization.encoding, UTF-16",
  })
  void whatJsonWouldReadInAnotherWayIsRefused(String property, String value) {
    Table table = table("serde2.JsonSerDe", Definitions.TEXT_INPUT);
    assertUnsupported(with(table, property, value), property + "' = '" + value);
  }

  @Test
  void allTypesOfHiveAreRead() {
    String[] types = {
      "boolean",
      "tinyint",
      "smallint",
      "int",
      "bigint",
      "float",
      "double",
      "decimal(10,2)",
      "string",
      "char(3)",
      "varchar(20)",
      "date",
      "timestamp",
      "binary",
      "array<int>",
      "map<string,struct<x:int,y:array<date>>>"
    };
    String[] columns = new String[types.length];
    for (int i = 0; i < types.length; i++) {
      columns[i] = "c" + i + " " + types[i];
    }

    assertThat(read(withColumns(table(), columns)).columns())
        .extracting(column -> column.type().toString())
        .containsExactly(types);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "uniontype<int,string>",
        "timestamp with local time zone",
        "interval_day_time",
        "void",
        "array<uniontype<int>>",
        "nonsense"
      })
  void aTypeThatLeatDoesNotHaveIsRefusedByColumnAndType(String type) {
    assertThatThrownBy(() -> read(withColumns(table(), "id int", "odd " + type)))
        .isInstanceOfSatisfying(
            LeatException.class,
            e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.UNSUPPORTED_COLUMN_TYPE))
        .hasMessageContaining("'odd' of the table default.customers")
        .hasMessageContaining(type);
  }

  @Test
  void aViewIsRefused() {
    Table view = table();
    view.setTableType("VIRTUAL_VIEW");
    assertUnsupported(view, "default.customers is a view; join with the table");
    view.setTableType("MATERIALIZED_VIEW");
    assertUnsupported(view, "is a materialized view");
  }

  @ParameterizedTest
  @CsvSource({
    "transactional, true, is transactional (ACID)",
    "transactional, TRUE, is transactional (ACID)",
    "storage_handler, org.apache.hadoop.hive.hbase.HBaseStorageHandler, HBaseStorageHandler",
    "table_type, ICEBERG, a table of iceberg",
    "spark.sql.sources.provider, delta, a table of delta",
    "spark.sql.sources.provider, hudi, a table of hudi",
    "timestamp.formats, yyyy, timestamp.formats",
    "serialization.last.column.takes.rest, true, serialization.last.column.takes.rest",
    "line.delim, ;, line.delim",
    "hive.serialization.extend.nesting.levels, true, more levels",
    "skip.header.line.count, one, is no number",
  })
  void whatWouldBeReadInAnotherWayIsRefused(String parameter, String value, String message) {
    assertUnsupported(with(table(), parameter, value), message);
  }

  @ParameterizedTest
  @CsvSource({
    "serde2.RegexSerDe, org.apache.hadoop.mapred.TextInputFormat, RegexSerDe",
    "serde2.lazybinary.LazyBinarySerDe, org.apache.hadoop.mapred.SequenceFileInputFormat,"
        + " LazyBinarySerDe",
    "serde2.lazy.LazySimpleSerDe, org.apache.hadoop.mapred.SequenceFileInputFormat,"
        + " SequenceFileInputFormat",
    "serde2.lazy.LazySimpleSerDe, ql.io.SymlinkTextInputFormat, SymlinkTextInputFormat",
    "ql.io.parquet.serde.ParquetHiveSerDe, ql.io.orc.OrcInputFormat, OrcInputFormat",
  })
  void otherSerdesAndInputFormatsAreRefusedByName(
      String serde, String inputFormat, String message) {
    assertUnsupported(table(serde, inputFormat), message);
  }

  @Test
  void aTableWithoutLocationColumnsOrStorageIsRefused() {
    Table table = table();
    table.getSd().setLocation(null);
    assertUnsupported(table, "has no location");
    assertUnsupported(withColumns(table()), "has no columns");
    Table without = table();
    without.setSd(null);
    assertUnsupported(without, "has no storage");
    Table path = table();
    path.getSd().setLocation("/user/hive/warehouse");
    assertUnsupported(path, "has no scheme");
  }

  @ParameterizedTest
  @CsvSource({
    "s3a://lake/two words/x, s3a://lake/two%20words/x",
    "s3://lake/dt=2026-11-29 10%3A00, s3://lake/dt=2026-11-29%2010%253A00",
    "hdfs://namenode:8020/kunden/Zürich, hdfs://namenode:8020/kunden/Z%C3%BCrich",
    "file:/tmp/x, file:/tmp/x",
    "s3a://lake, s3a://lake/",
  })
  void aLocationIsWrittenAsAUri(String location, String uri) {
    Table table = table();
    table.getSd().setLocation(location);

    assertThat(read(table).location().toString()).isEqualTo(uri);
  }

  @Test
  void aPartitionHasItsOwnLocationFormatAndTimeOfCreation() {
    Partition partition = partition("s3a://elsewhere/today", "2026-11-29");
    partition.getSd().getSerdeInfo().getParameters().put("field.delim", ";");

    HivePartition read = partitioned().partition(partition);

    assertThat(read.values()).containsExactly("2026-11-29");
    assertThat(read.location()).isEqualTo(URI.create("s3a://elsewhere/today"));
    assertThat(read.format().options()).containsEntry("field-delimiter", ";");
    assertThat(read.created()).isEqualTo(Instant.ofEpochSecond(1_700_000_000));
  }

  @ParameterizedTest
  @CsvSource({
    "ql.io.parquet.serde.ParquetHiveSerDe, ql.io.parquet.MapredParquetInputFormat, true",
    "serde2.avro.AvroSerDe, ql.io.avro.AvroContainerInputFormat, true",
    "ql.io.orc.OrcSerde, ql.io.orc.OrcInputFormat, false",
    "serde2.lazy.LazySimpleSerDe, org.apache.hadoop.mapred.TextInputFormat, false",
  })
  void formatsWithInstantsShowThemInTheZoneOfHive(
      String serde, String inputFormat, boolean instants) {
    ZoneId zone = ZoneId.of("Europe/Berlin");

    assertThat(read(table(serde, inputFormat)).inTimeZone(zone).format().options())
        .satisfies(
            options ->
                assertThat(options.get("time-zone")).isEqualTo(instants ? "Europe/Berlin" : null));
    assertThat(read(table(serde, inputFormat)).inTimeZone(ZoneOffset.UTC).format())
        .isEqualTo(read(table(serde, inputFormat)).format());
  }

  @Test
  void aPartitionOfAnotherFormatIsInTheZoneOfItsTableToo() {
    Partition partition = partition("s3a://x/y", "a");
    StorageDescriptor storage =
        table("ql.io.parquet.serde.ParquetHiveSerDe", "ql.io.parquet.MapredParquetInputFormat")
            .getSd();
    partition.getSd().setSerdeInfo(storage.getSerdeInfo()).setInputFormat(storage.getInputFormat());

    HiveTable table = partitioned().inTimeZone(ZoneId.of("Asia/Kolkata"));

    assertThat(table.partition(partition).format().options())
        .containsEntry("time-zone", "Asia/Kolkata");
  }

  @Test
  void theDefaultPartitionIsNull() {
    HivePartition read =
        partitioned().partition(partition("s3a://x/y", "__HIVE_DEFAULT_PARTITION__"));

    assertThat(read.values()).containsExactly((String) null);
  }

  @Test
  void aPartitionSkipsTheLinesThatTheTableSaysNotThoseThatItSaysItself() {
    Table table = withSerdeProperty(partitionedTable(), "skip.header.line.count", "1");
    Partition partition = partition("s3a://x/y", "a");
    partition.getParameters().put("skip.header.line.count", "7");

    assertThat(read(table).partition(partition).format().options())
        .containsEntry("skip-header-lines", "1");
  }

  @Test
  void columnsThatWereAddedLaterAreNotInOlderPartitions() {
    Table table =
        withColumns(partitionedTable(), "customer_id string", "visits int", "city string");

    assertThat(read(table).partition(partition("s3a://x/y", "a")).format().columns())
        .extracting(Column::name)
        .containsExactly("customer_id", "visits");
  }

  @Test
  void columnsMeetByPositionAsForHive() {
    Table table = withColumns(partitionedTable(), "id string", "number_of_visits bigint");

    assertThat(read(table).partition(partition("s3a://x/y", "a")).format().columns())
        .containsExactly(
            new Column("id", ColumnType.STRING), new Column("number_of_visits", ColumnType.BIGINT));
  }

  @Test
  void aPartitionOfAFormatThatNamesItsColumnsCannotCallThemOtherwise() {
    Table table = table("serde2.JsonSerDe", Definitions.TEXT_INPUT);
    table.setPartitionKeys(columns("dt string"));
    Partition partition = partition("s3a://x/y", "a");
    partition.setSd(table.getSd().deepCopy());
    withColumns(table, "id string", "visits int");

    assertThatThrownBy(() -> read(table).partition(partition))
        .isInstanceOf(LeatException.class)
        .hasMessageContaining("LEAT-6003")
        .hasMessageContaining("'customer_id' that is 'id' in the table");
  }

  @Test
  void aPartitionWhoseTypeHiveWouldConvertIsRefused() {
    Table table = withColumns(partitionedTable(), "customer_id string", "visits string");

    assertThatThrownBy(() -> read(table).partition(partition("s3a://x/y", "a")))
        .isInstanceOf(LeatException.class)
        .hasMessageContaining("'visits' as int, which is string in the table");
  }

  private static Table partitionedTable() {
    Table table = table();
    table.setPartitionKeys(columns("dt string"));
    return table;
  }

  private static HiveTable partitioned() {
    return read(partitionedTable());
  }

  private static void assertUnsupported(Table table, String message) {
    assertThatThrownBy(() -> read(table))
        .isInstanceOfSatisfying(
            LeatException.class,
            e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.UNSUPPORTED_TABLE))
        .hasMessageContaining(message);
  }
}
