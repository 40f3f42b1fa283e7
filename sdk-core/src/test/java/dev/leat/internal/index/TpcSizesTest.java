package dev.leat.internal.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leat.DuplicateKeys;
import dev.leat.MalformedRows;
import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import dev.leat.format.DelimitedText;
import dev.leat.internal.store.LocalFileStore;
import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.BlobStore;
import dev.leat.spi.FileSplit;
import dev.leat.spi.FormatReader;
import io.trino.tpcds.Results;
import io.trino.tpcds.Session;
import io.trino.tpcds.Table;
import io.trino.tpch.TpchColumn;
import io.trino.tpch.TpchEntity;
import io.trino.tpch.TpchTable;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The index of a table of TPC-DS and TPC-H beside its text, at a small scale and with the first
 * rows of each table; with {@code -Dleat.tpc.scale=1 -Dleat.tpc.rows=10000000} at a larger one.
 */
class TpcSizesTest {
  private static final double SCALE =
      Double.parseDouble(System.getProperty("leat.tpc.scale", "0.02"));
  private static final int ROWS = Integer.getInteger("leat.tpc.rows", 12_000);

  /**
   * What an index may have beyond a small text: the manifest, which names the columns, the
   * alphabets of the key, headers, footers and small dictionaries, which are taken for speed.
   */
  private static final long FIXED = 8 << 10;

  /** A text beyond which the index is smaller, whatever the table. */
  private static final long SMALL = 64 << 10;

  /** The keys that are not the first column alone. */
  private static final Map<String, Integer> KEYS =
      Map.ofEntries(Map.entry("partsupp", 2), Map.entry("inventory", 3));

  private static final Map<String, List<String>> NAMED_KEYS =
      Map.ofEntries(
          Map.entry("lineitem", List.of("l_orderkey", "l_linenumber")),
          Map.entry("catalog_sales", List.of("cs_item_sk", "cs_order_number")),
          Map.entry("catalog_returns", List.of("cr_item_sk", "cr_order_number")),
          Map.entry("store_sales", List.of("ss_item_sk", "ss_ticket_number")),
          Map.entry("store_returns", List.of("sr_item_sk", "sr_ticket_number")),
          Map.entry("web_sales", List.of("ws_item_sk", "ws_order_number")),
          Map.entry("web_returns", List.of("wr_item_sk", "wr_order_number")));

  @TempDir private Path directory;

  static Stream<Table> tpcDs() {
    return Table.getBaseTables().stream().filter(table -> table != Table.DBGEN_VERSION);
  }

  static Stream<TpchTable<?>> tpcH() {
    return TpchTable.getTables().stream();
  }

  @ParameterizedTest
  @MethodSource
  void tpcDs(Table table) throws IOException {
    List<Column> columns = new ArrayList<>();
    for (io.trino.tpcds.column.Column column : table.getColumns()) {
      var type = column.getType();
      columns.add(
          new Column(
              column.getName(),
              switch (type.getBase()) {
                case INTEGER -> ColumnType.INT;
                case IDENTIFIER -> ColumnType.BIGINT;
                case DATE -> ColumnType.DATE;
                case DECIMAL ->
                    ColumnType.decimal(
                        type.getPrecision().orElseThrow(), type.getScale().orElseThrow());
                case VARCHAR -> ColumnType.varchar(type.getPrecision().orElseThrow());
                case CHAR -> ColumnType.character(type.getPrecision().orElseThrow());
                case TIME -> ColumnType.STRING;
              }));
    }
    Session session = Session.getDefaultSession().withTable(table).withScale(SCALE);
    Iterator<List<List<String>>> rows = Results.constructResults(table, session).iterator();
    check(
        table.getName().toLowerCase(Locale.ROOT),
        columns,
        new Iterator<>() {
          @Override
          public boolean hasNext() {
            return rows.hasNext();
          }

          @Override
          public String next() {
            StringBuilder line = new StringBuilder();
            for (String cell : rows.next().get(0)) {
              line.append(line.isEmpty() ? "" : "|").append(cell == null ? "" : cell);
            }
            return line.toString();
          }
        });
  }

  @ParameterizedTest
  @MethodSource
  <E extends TpchEntity> void tpcH(TpchTable<E> table) throws IOException {
    List<Column> columns = new ArrayList<>();
    for (TpchColumn<E> column : table.getColumns()) {
      columns.add(
          new Column(
              column.getColumnName(),
              switch (column.getType().getBase()) {
                case INTEGER -> ColumnType.INT;
                case IDENTIFIER -> ColumnType.BIGINT;
                case DATE -> ColumnType.DATE;
                // The standard says DECIMAL, and the text has two digits.
                case DOUBLE -> ColumnType.decimal(15, 2);
                case VARCHAR -> ColumnType.STRING;
              }));
    }
    Iterator<E> rows = table.createGenerator(SCALE, 1, 1).iterator();
    check(
        table.getTableName(),
        columns,
        new Iterator<>() {
          @Override
          public boolean hasNext() {
            return rows.hasNext();
          }

          @Override
          public String next() {
            String line = rows.next().toLine();
            return line.substring(0, line.length() - 1);
          }
        });
  }

  private void check(String name, List<Column> columns, Iterator<String> lines) throws IOException {
    Path text = Files.createDirectory(directory.resolve("text")).resolve(name);
    long rows = 0;
    try (BufferedWriter out = Files.newBufferedWriter(text)) {
      for (; rows < ROWS && lines.hasNext(); rows++) {
        out.write(lines.next());
        out.write('\n');
      }
    }
    List<Integer> key = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      if (NAMED_KEYS.containsKey(name)
          ? NAMED_KEYS.get(name).contains(columns.get(i).name())
          : i < KEYS.getOrDefault(name, 1)) {
        key.add(i);
      }
    }
    IndexDefinition definition =
        new IndexDefinition(columns, key, DuplicateKeys.KEEP_ALL, Set.of());
    Path index = directory.resolve("index");
    FormatReader format =
        DelimitedText.separatedBy('|')
            .columns(columns.toArray(Column[]::new))
            .nullMarker("")
            .reader(columns);
    try (BlobStore store = LocalFileStore.at(text.getParent());
        IndexBuilder builder =
            IndexBuilder.open(
                definition,
                BuildSettings.in(directory.resolve("work"))
                    .withMalformedRows(MalformedRows.fail()))) {
      Blob blob = store.list(text.getParent().toUri()).get(0);
      FileSplit split = new FileSplit(blob, 0, blob.length());
      try (SplitSink sink = builder.sink(split, 0);
          BlobReader bytes = store.open(blob)) {
        format.read(split, bytes, sink);
      }
      IndexManifest manifest = builder.finish(index, "f");
      assertThat(manifest.rows()).as("rows of %s", name).isEqualTo(rows - manifest.nullKeyRows());
      assertThat(manifest.unparsableCells()).as("cells of %s", name).isZero();
      long indexBytes = 0;
      try (Stream<Path> files = Files.list(index)) {
        for (Path file : files.toList()) {
          indexBytes += Files.size(file);
        }
      }
      long textBytes = Files.size(text);
      assertThat(indexBytes)
          .as("bytes of the index of %s rows of %s, whose text has %s", rows, name, textBytes)
          .isLessThanOrEqualTo(textBytes + FIXED);
      if (textBytes > SMALL) {
        assertThat(indexBytes).as("bytes of the index of %s", name).isLessThan(textBytes);
      }
    }
  }
}
