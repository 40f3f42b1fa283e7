package dev.leat.internal.index;

import dev.leat.DataSize;
import dev.leat.DuplicateKeys;
import dev.leat.MalformedRows;
import dev.leat.format.Column;
import dev.leat.spi.Blob;
import dev.leat.spi.FileSplit;
import dev.leat.spi.RowSink;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Rows in memory that are built to an index, and what a map says of them. */
final class TestTable {
  final List<Column> columns;
  final List<Integer> keyColumns;
  final List<@Nullable Object[]> rows = new ArrayList<>();
  DuplicateKeys duplicates = DuplicateKeys.KEEP_LAST;
  Set<Integer> required = Set.of();
  int threads = 2;
  int splits = 3;
  DataSize memory = DataSize.ofMebibytes(64);
  MalformedRows malformed = MalformedRows.fail();
  IndexFiles files = IndexFiles.onDisk();
  IndexBuilder.Limits limits = IndexBuilder.Limits.DEFAULT;

  TestTable(List<Column> columns, List<Integer> keyColumns) {
    this.columns = columns;
    this.keyColumns = keyColumns;
  }

  TestTable row(@Nullable Object... cells) {
    rows.add(cells);
    return this;
  }

  IndexDefinition definition() {
    return new IndexDefinition(columns, keyColumns, duplicates, required);
  }

  BuildSettings settings(Path work) {
    return BuildSettings.in(work)
        .withMemory(memory)
        .withThreads(threads)
        .withMalformedRows(malformed);
  }

  IndexManifest build(Path directory) {
    try (IndexBuilder builder =
        IndexBuilder.open(
            definition(),
            settings(directory.resolveSibling(directory.getFileName() + "-work")),
            files,
            limits)) {
      List<CompletableFuture<Void>> running = new ArrayList<>();
      for (int part = 0; part < splits; part++) {
        int number = part;
        Runnable feed = () -> feed(builder, number);
        if (threads == 1) {
          feed.run();
        } else {
          running.add(CompletableFuture.runAsync(feed));
        }
      }
      running.forEach(CompletableFuture::join);
      return builder.finish(directory, "fingerprint");
    }
  }

  private void feed(IndexBuilder builder, int part) {
    int from = (int) ((long) rows.size() * part / splits);
    int to = (int) ((long) rows.size() * (part + 1) / splits);
    // Two files: the first half of the parts, and the second.
    int file = part < (splits + 1) / 2 ? 0 : 1;
    try (SplitSink sink = builder.sink(split(file, from, to - from), file)) {
      for (int i = from; i < to; i++) {
        sink.beginRow(i);
        put(sink, columns, rows.get(i));
        sink.endRow();
      }
    }
  }

  static FileSplit split(int file, long start, long length) {
    Blob blob =
        new Blob(
            URI.create("file:///data/part-" + file), 1L << 40, Optional.empty(), Instant.EPOCH);
    return new FileSplit(blob, start, length);
  }

  static void put(RowSink sink, List<Column> columns, @Nullable Object[] row) {
    for (int i = 0; i < row.length; i++) {
      Object value = row[i];
      if (value instanceof Boolean bool) {
        sink.setLong(i, bool ? 1 : 0);
      } else if (value instanceof Float || value instanceof Double) {
        sink.setDouble(i, ((Number) value).doubleValue());
      } else if (value instanceof BigDecimal decimal) {
        byte[] unscaled =
            decimal.setScale(columns.get(i).type().scale()).unscaledValue().toByteArray();
        sink.setDecimal(i, unscaled, 0, unscaled.length);
      } else if (value instanceof Number number) {
        sink.setLong(i, number.longValue());
      } else if (value instanceof LocalDate date) {
        sink.setLong(i, date.toEpochDay());
      } else if (value instanceof LocalDateTime time) {
        sink.setTimestamp(i, time.toEpochSecond(ZoneOffset.UTC), time.getNano());
      } else if (value instanceof String text) {
        byte[] padded = ("<" + text + ">").getBytes(StandardCharsets.UTF_8);
        sink.setBytes(i, padded, 1, padded.length - 2);
      } else if (value instanceof byte[] bytes) {
        sink.setBytes(i, bytes, 0, bytes.length);
      } else if (value != null) {
        throw new IllegalArgumentException("no cell can be a " + value.getClass());
      }
    }
  }

  /**
   * The rows of each key, as the policy leaves them. Keys are lists, with arrays as hexadecimal
   * text.
   */
  Map<List<Object>, List<List<@Nullable Object>>> expected() {
    Map<List<Object>, List<List<@Nullable Object>>> map = new LinkedHashMap<>();
    for (@Nullable Object[] row : rows) {
      List<@Nullable Object> key = new ArrayList<>();
      keyColumns.forEach(i -> key.add(comparable(row[i])));
      if (key.contains(null)) {
        continue;
      }
      List<List<@Nullable Object>> kept =
          map.computeIfAbsent(new ArrayList<>(key), k -> new ArrayList<>());
      if (duplicates == DuplicateKeys.KEEP_LAST) {
        kept.clear();
      }
      if (kept.isEmpty() || duplicates == DuplicateKeys.KEEP_ALL) {
        kept.add(comparable(row));
      }
    }
    return map;
  }

  static List<@Nullable Object> comparable(@Nullable Object[] row) {
    List<@Nullable Object> list = new ArrayList<>();
    for (Object value : row) {
      list.add(comparable(value));
    }
    return list;
  }

  static @Nullable Object comparable(@Nullable Object value) {
    return value instanceof byte[] bytes ? "bytes" + Arrays.toString(bytes) : value;
  }
}
