package dev.leat.benchmarks;

import static java.util.Objects.requireNonNull;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.binary.BinaryStringData;
import org.jspecify.annotations.Nullable;

/** The maps in which Flink's own lookup joins keep a whole table. */
final class FlinkMapStore<K, D> implements Store<K, D> {
  private final Dataset<K, D> dataset;
  private final Map<RowData, Collection<RowData>> map;
  private final boolean queues;

  private FlinkMapStore(
      Dataset<K, D> dataset, Map<RowData, Collection<RowData>> map, boolean queues) {
    this.dataset = dataset;
    this.map = map;
    this.queues = queues;
  }

  /**
   * What the FULL lookup cache of Flink SQL keeps once per TaskManager: {@code
   * ConcurrentHashMap<RowData, Collection<RowData>>}, its collections being queues.
   */
  static <K, D> Store<K, D> full(Dataset<K, D> dataset) {
    return new FlinkMapStore<>(dataset, new ConcurrentHashMap<>(), true);
  }

  /**
   * What Flink's Hive lookup join keeps once per subtask: {@code HashMap<RowData, List<RowData>>}.
   */
  static <K, D> Store<K, D> hive(Dataset<K, D> dataset) {
    return new FlinkMapStore<>(dataset, new HashMap<>(), false);
  }

  @Override
  public void load() {
    int columns = dataset.columns().size();
    for (long number = 0; number < dataset.rows(); number++) {
      // A row comes out of the format's deserialiser with strings of its own; the key is
      // projected from it and copied.
      GenericRowData row = new GenericRowData(columns);
      for (int column = 0; column < columns; column++) {
        row.setField(column, internal(dataset.cell(number, column), column));
      }
      GenericRowData key = new GenericRowData(dataset.keyColumns().size());
      for (int i = 0; i < dataset.keyColumns().size(); i++) {
        int column = dataset.keyColumns().get(i);
        key.setField(i, internal(dataset.cell(number, column), column));
      }
      map.computeIfAbsent(key, k -> queues ? new ConcurrentLinkedQueue<>() : new ArrayList<>())
          .add(row);
    }
  }

  private @Nullable Object internal(@Nullable Object cell, int column) {
    if (cell instanceof String text) {
      return BinaryStringData.fromBytes(text.getBytes(StandardCharsets.UTF_8));
    }
    if (cell instanceof LocalDate day) {
      return (int) day.toEpochDay();
    }
    if (cell instanceof BigDecimal amount) {
      var type = dataset.columns().get(column).type();
      return DecimalData.fromBigDecimal(amount, type.precision(), type.scale());
    }
    return cell;
  }

  @Override
  public Finder<K, D> finder() {
    FoundCells cells = new FoundCells(dataset);
    return key -> {
      Object[] parts = dataset.keyCells(key);
      GenericRowData wanted = new GenericRowData(parts.length);
      for (int i = 0; i < parts.length; i++) {
        wanted.setField(
            i, parts[i] instanceof String text ? StringData.fromString(text) : parts[i]);
      }
      Collection<RowData> rows = map.get(wanted);
      if (rows == null) {
        return null;
      }
      RowData row =
          rows instanceof Queue<RowData> queue ? queue.peek() : ((List<RowData>) rows).get(0);
      return dataset.row(key, cells.of(requireNonNull(row)));
    };
  }

  @Override
  public long bytesOutsideHeap() {
    return 0;
  }

  @Override
  public void close() {
    map.clear();
  }

  private static final class FoundCells implements Cells {
    private final Dataset<?, ?> dataset;
    private RowData row = new GenericRowData(0);

    FoundCells(Dataset<?, ?> dataset) {
      this.dataset = dataset;
    }

    FoundCells of(RowData found) {
      row = found;
      return this;
    }

    @Override
    public @Nullable String text(int column) {
      return row.isNullAt(column) ? null : row.getString(column).toString();
    }

    @Override
    public @Nullable Integer integer(int column) {
      return row.isNullAt(column) ? null : (Integer) row.getInt(column);
    }

    @Override
    public @Nullable LocalDate date(int column) {
      return row.isNullAt(column) ? null : LocalDate.ofEpochDay(row.getInt(column));
    }

    @Override
    public @Nullable BigDecimal decimal(int column) {
      var type = dataset.columns().get(column).type();
      return row.isNullAt(column)
          ? null
          : row.getDecimal(column, type.precision(), type.scale()).toBigDecimal();
    }
  }
}
