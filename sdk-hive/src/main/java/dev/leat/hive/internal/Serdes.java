package dev.leat.hive.internal;

import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import io.trino.hive.thrift.metastore.StorageDescriptor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which of Leat's formats, with which options, reads what one of Hive's serdes reads. What a serde
 * would do and no format does is refused, never read differently.
 */
final class Serdes {
  private static final String TEXT_INPUT = "org.apache.hadoop.mapred.TextInputFormat";

  private static final Set<String> TEXT =
      Set.of("org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe");

  private static final Set<String> CSV = Set.of("org.apache.hadoop.hive.serde2.OpenCSVSerde");

  private static final Set<String> JSON =
      Set.of("org.apache.hadoop.hive.serde2.JsonSerDe", "org.apache.hive.hcatalog.data.JsonSerDe");

  private static final Set<String> PARQUET =
      Set.of(
          "org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe",
          "parquet.hive.serde.ParquetHiveSerDe");

  private static final Set<String> PARQUET_INPUT =
      Set.of(
          "org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat",
          "parquet.hive.MapredParquetInputFormat",
          "parquet.hive.DeprecatedParquetInputFormat");

  private static final Set<String> ORC = Set.of("org.apache.hadoop.hive.ql.io.orc.OrcSerde");

  private static final Set<String> ORC_INPUT =
      Set.of("org.apache.hadoop.hive.ql.io.orc.OrcInputFormat");

  private static final Set<String> AVRO = Set.of("org.apache.hadoop.hive.serde2.avro.AvroSerDe");

  private static final Set<String> AVRO_INPUT =
      Set.of("org.apache.hadoop.hive.ql.io.avro.AvroContainerInputFormat");

  private static final String SKIP_HEADER = "skip.header.line.count";
  private static final String SKIP_FOOTER = "skip.footer.line.count";

  /** The properties that say which lines of a file are no rows. */
  static final List<String> LINE_PROPERTIES = List.of(SKIP_HEADER, SKIP_FOOTER);

  /** As all releases before 3.0 write it. */
  private static final String MISSPELT_COLLECTION_DELIMITER = "colelction.delim";

  private static final char HIVE_DELIMITER = '\001';
  private static final char HIVE_ESCAPE = '\\';

  private final String what;
  private final Map<String, String> properties;
  private final Map<String, String> tableParameters;
  private final List<Column> columns;

  private Serdes(
      String what,
      Map<String, String> properties,
      Map<String, String> tableParameters,
      List<Column> columns) {
    this.what = what;
    this.properties = properties;
    this.tableParameters = tableParameters;
    this.columns = columns;
  }

  /**
   * The format of a table or partition.
   *
   * @param what its name for messages
   * @param storage its storage
   * @param parameters its own properties, which win over those of the serde
   * @param tableParameters those of the table, which alone say what lines to skip
   * @param columns its columns
   */
  static StoredFormat of(
      String what,
      StorageDescriptor storage,
      Map<String, String> parameters,
      Map<String, String> tableParameters,
      List<Column> columns) {
    String serde =
        storage.getSerdeInfo() == null ? null : storage.getSerdeInfo().getSerializationLib();
    if (serde == null) {
      throw HiveTable.unsupported(what, "names no serde", "set one: ALTER TABLE … SET SERDE");
    }
    Map<String, String> properties =
        new TreeMap<>(MetastoreClient.orEmpty(storage.getSerdeInfo().getParameters()));
    properties.putAll(parameters);
    return new Serdes(what, properties, tableParameters, columns)
        .format(serde, storage.getInputFormat());
  }

  private StoredFormat format(String serde, @Nullable String inputFormat) {
    if (TEXT.contains(serde)) {
      checkInput(serde, inputFormat, Set.of(TEXT_INPUT));
      return text();
    }
    if (CSV.contains(serde)) {
      checkInput(serde, inputFormat, Set.of(TEXT_INPUT));
      return csv();
    }
    if (JSON.contains(serde)) {
      checkInput(serde, inputFormat, Set.of(TEXT_INPUT));
      return json();
    }
    if (PARQUET.contains(serde)) {
      checkInput(serde, inputFormat, PARQUET_INPUT);
      refuse("parquet.column.index.access", "true", "finds columns by position");
      return new StoredFormat("parquet", Map.of(), columns);
    }
    if (ORC.contains(serde)) {
      checkInput(serde, inputFormat, ORC_INPUT);
      refuse("orc.force.positional.evolution", "true", "finds columns by position");
      return new StoredFormat("orc", Map.of(), columns);
    }
    if (AVRO.contains(serde)) {
      checkInput(serde, inputFormat, AVRO_INPUT);
      return new StoredFormat("avro", Map.of(), columns);
    }
    throw HiveTable.unsupported(
        what,
        "is read by the serde " + serde,
        "Leat reads LazySimpleSerDe, OpenCSVSerde, JsonSerDe, ParquetHiveSerDe, OrcSerde and AvroSerDe; copy it to a table of one of them");
  }

  private void checkInput(String serde, @Nullable String inputFormat, Set<String> fitting) {
    if (inputFormat == null || !fitting.contains(inputFormat)) {
      throw HiveTable.unsupported(
          what,
          "has the input format " + inputFormat + " with the serde " + serde,
          "Leat reads that serde with "
              + fitting.stream().sorted().toList()
              + " only; copy it to a table STORED AS TEXTFILE, PARQUET, ORC or AVRO");
    }
  }

  private StoredFormat text() {
    checkLines();
    refuse("serialization.last.column.takes.rest", "true", "lets the last column take the rest");
    refuse("hive.serialization.decode.binary.as.base64", "false", "does not decode binary columns");
    refuse("hive.serialization.extend.nesting.levels", "true", "has delimiters for more levels");
    refuse(
        "hive.serialization.extend.additional.nesting.levels",
        "true",
        "has delimiters for more levels");
    refuseAny("timestamp.formats", "reads timestamps in formats of its own");
    refuseAny("textinputformat.record.delimiter", "ends rows in a way of its own");
    Map<String, String> options = new TreeMap<>();
    String delimiter =
        properties.getOrDefault("field.delim", properties.get("serialization.format"));
    options.put("field-delimiter", shown(character(delimiter, HIVE_DELIMITER)));
    delimiter("collection-delimiter", options, "collection.delim", MISSPELT_COLLECTION_DELIMITER);
    delimiter("map-key-delimiter", options, "mapkey.delim");
    if (properties.containsKey("escape.delim")) {
      options.put(
          "escape-character", shown(character(properties.get("escape.delim"), HIVE_ESCAPE)));
    }
    copy("serialization.null.format", "null-literal", options);
    copy("serialization.encoding", "charset", options);
    skippedLines(options);
    return new StoredFormat("text", options, columns);
  }

  /** The first of the properties that is there says it. */
  private void delimiter(String option, Map<String, String> options, String... names) {
    for (String name : names) {
      String value = properties.get(name);
      if (value != null && !value.isEmpty()) {
        options.put(option, shown(character(value, HIVE_DELIMITER)));
        return;
      }
    }
  }

  /** The serde gives text only, whatever types the table declares. */
  private StoredFormat csv() {
    checkLines();
    Map<String, String> options = new TreeMap<>();
    firstCharacter("separatorChar", "field-delimiter", options);
    firstCharacter("quoteChar", "quote-character", options);
    // The serde takes its own default of this property, a quote, to mean the backslash.
    if (!"\"".equals(properties.get("escapeChar"))) {
      firstCharacter("escapeChar", "escape-character", options);
    }
    copy("serialization.encoding", "charset", options);
    skippedLines(options);
    List<Column> texts = new ArrayList<>();
    columns.forEach(column -> texts.add(new Column(column.name(), ColumnType.STRING)));
    return new StoredFormat("csv", options, texts);
  }

  private void firstCharacter(String property, String option, Map<String, String> options) {
    String value = properties.get(property);
    if (value != null && !value.isEmpty()) {
      options.put(option, shown(value.charAt(0)));
    }
  }

  private StoredFormat json() {
    checkLines();
    refuseAny("timestamp.formats", "reads timestamps in formats of its own");
    refuse("json.binary.format", "rawstring", "does not decode binary columns");
    refuse("json.stringify.complex.fields", "true", "reads nested values as text");
    for (String property : LINE_PROPERTIES) {
      if (!"0".equals(tableParameters.getOrDefault(property, "0"))) {
        throw refused(property, "leaves lines out");
      }
    }
    String encoding = properties.getOrDefault("serialization.encoding", "UTF-8");
    if (!"UTF-8".equalsIgnoreCase(encoding)) {
      throw refused("serialization.encoding", "is not JSON's own character set");
    }
    return new StoredFormat("json", Map.of(), columns);
  }

  private void checkLines() {
    String lines = properties.get("line.delim");
    if (lines != null && !lines.equals("\n") && !lines.equals("10") && !lines.equals("\\n")) {
      throw HiveTable.unsupported(
          what,
          "has the property line.delim, and Hive itself ends lines with LF only",
          "take the property out");
    }
  }

  /** Hive takes them from the table, also for a partition. */
  private void skippedLines(Map<String, String> options) {
    skippedLines(SKIP_HEADER, "skip-header-lines", options);
    skippedLines(SKIP_FOOTER, "skip-footer-lines", options);
  }

  private void skippedLines(String property, String option, Map<String, String> options) {
    String lines = tableParameters.get(property);
    if (lines == null || lines.equals("0")) {
      return;
    }
    try {
      options.put(option, Integer.toString(Integer.parseInt(lines.strip())));
    } catch (NumberFormatException e) {
      throw HiveTable.unsupported(
          what,
          "has '" + property + "' = '" + lines + "', which is no number",
          "correct it: ALTER TABLE … SET TBLPROPERTIES");
    }
  }

  private void copy(String property, String option, Map<String, String> options) {
    String value = properties.get(property);
    if (value != null) {
      options.put(option, value);
    }
  }

  private void refuse(String property, String value, String meaning) {
    if (value.equalsIgnoreCase(properties.get(property))) {
      throw refused(property, meaning);
    }
  }

  private void refuseAny(String property, String meaning) {
    if (properties.containsKey(property)) {
      throw refused(property, meaning);
    }
  }

  private RuntimeException refused(String property, String meaning) {
    return HiveTable.unsupported(
        what,
        "has '"
            + property
            + "' = '"
            + properties.getOrDefault(property, tableParameters.get(property))
            + "', which "
            + meaning,
        "Leat does not do that; copy it to a table without this property");
  }

  /**
   * As Hive's {@code LazyUtils.getByte}: a number is the code of the character, else the first
   * character counts.
   */
  private static char character(@Nullable String text, char otherwise) {
    if (text == null || text.isEmpty()) {
      return otherwise;
    }
    try {
      return (char) (Byte.parseByte(text) & 0xFF);
    } catch (NumberFormatException e) {
      return text.charAt(0);
    }
  }

  /** As an option of a format: a control character by its code. */
  private static String shown(char character) {
    return character < 0x20 || character > 0x7E
        ? String.format("\\u%04x", (int) character)
        : String.valueOf(character);
  }
}
