package dev.leat.internal.text;

import dev.leat.format.Column;
import dev.leat.spi.RowSink;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A sink that keeps what it got as text, and that is strict about the order of calls and the fit of
 * setters to types.
 */
final class RecordedRows implements RowSink {

  /** A row as it was given. */
  record Row(long offset, List<@Nullable String> cells) {}

  /** A row that was refused. */
  record Rejected(long offset, long line, int column, String reason) {}

  final List<Row> rows = new ArrayList<>();
  final List<Rejected> rejected = new ArrayList<>();
  final List<String> unparsable = new ArrayList<>();
  private final List<Column> columns;
  private @Nullable String @Nullable [] cells;
  private long offset = -1;

  RecordedRows(List<Column> columns) {
    this.columns = columns;
  }

  List<List<@Nullable String>> cells() {
    return rows.stream().map(Row::cells).toList();
  }

  @Override
  public void beginRow(long rowOffset) {
    if (cells != null) {
      throw new AssertionError("a row begins within a row");
    }
    if (rowOffset <= offset) {
      throw new AssertionError("the offset " + rowOffset + " does not rise above " + offset);
    }
    offset = rowOffset;
    cells = new String[columns.size()];
  }

  @Override
  public void setLong(int column, long value) {
    switch (columns.get(column).type().kind()) {
      case BOOLEAN ->
          set(column, value == 1 ? "true" : value == 0 ? "false" : "not a boolean: " + value);
      case TINYINT, SMALLINT, INT, BIGINT -> set(column, Long.toString(value));
      case DATE -> set(column, LocalDate.ofEpochDay(value).toString());
      default -> throw new AssertionError("setLong for " + columns.get(column));
    }
  }

  @Override
  public void setDouble(int column, double value) {
    switch (columns.get(column).type().kind()) {
      case FLOAT -> set(column, Float.toString((float) value));
      case DOUBLE -> set(column, Double.toString(value));
      default -> throw new AssertionError("setDouble for " + columns.get(column));
    }
  }

  @Override
  public void setBytes(int column, byte[] bytes, int start, int length) {
    switch (columns.get(column).type().kind()) {
      case STRING, CHAR, VARCHAR -> {
        if (!Utf8.isWellFormed(bytes, start, start + length)) {
          throw new AssertionError(
              "not UTF-8: " + HexFormat.of().formatHex(bytes, start, start + length));
        }
        set(column, new String(bytes, start, length, StandardCharsets.UTF_8));
      }
      case BINARY -> set(column, HexFormat.of().formatHex(bytes, start, start + length));
      default -> throw new AssertionError("setBytes for " + columns.get(column));
    }
  }

  @Override
  public void setDecimal(int column, byte[] unscaled, int start, int length) {
    BigInteger value = new BigInteger(unscaled, start, length);
    if (value.toByteArray().length != length) {
      throw new AssertionError("the unscaled value is not in its shortest form");
    }
    set(column, new BigDecimal(value, columns.get(column).type().scale()).toPlainString());
  }

  @Override
  public void setTimestamp(int column, long epochSecond, int nano) {
    set(column, LocalDateTime.ofEpochSecond(epochSecond, nano, ZoneOffset.UTC).toString());
  }

  @Override
  public void unparsable(int column, byte[] raw, int start, int length) {
    unparsable.add(
        columns.get(column).name() + "=" + new String(raw, start, length, StandardCharsets.UTF_8));
  }

  private void set(int column, String value) {
    if (cells == null) {
      throw new AssertionError("a cell comes outside of a row");
    }
    if (cells[column] != null) {
      throw new AssertionError("column " + column + " is set twice");
    }
    cells[column] = value;
  }

  @Override
  public void endRow() {
    rows.add(new Row(offset, end()));
  }

  @Override
  public void reject(long line, int column, String reason) {
    end();
    rejected.add(new Rejected(offset, line, column, reason));
  }

  private List<@Nullable String> end() {
    if (cells == null) {
      throw new AssertionError("a row ends that has not begun");
    }
    List<@Nullable String> row = Arrays.asList(cells);
    cells = null;
    return row;
  }
}
