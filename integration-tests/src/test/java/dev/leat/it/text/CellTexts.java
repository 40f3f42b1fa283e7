package dev.leat.it.text;

import dev.leat.format.Column;
import dev.leat.spi.RowSink;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A sink that keeps every cell as text that says its value, in the form that the oracle gives it.
 */
final class CellTexts implements RowSink {
  private final List<Column> columns;
  private final List<@Nullable String[]> rows = new ArrayList<>();
  private @Nullable String[] row = new String[0];
  private long unparsable;

  CellTexts(List<Column> columns) {
    this.columns = columns;
  }

  List<@Nullable String[]> rows() {
    return rows;
  }

  long unparsableCells() {
    return unparsable;
  }

  @Override
  public void beginRow(long offset) {
    row = new String[columns.size()];
  }

  @Override
  public void setLong(int column, long value) {
    row[column] =
        switch (columns.get(column).type().kind()) {
          case BOOLEAN -> Boolean.toString(value != 0);
          case DATE -> LocalDate.ofEpochDay(value).toString();
          default -> Long.toString(value);
        };
  }

  @Override
  public void setDouble(int column, double value) {
    row[column] =
        switch (columns.get(column).type().kind()) {
          case FLOAT -> Float.toString((float) value);
          default -> Double.toString(value);
        };
  }

  @Override
  public void setBytes(int column, byte[] bytes, int offset, int length) {
    row[column] =
        switch (columns.get(column).type().kind()) {
          case BINARY -> HexFormat.of().formatHex(bytes, offset, offset + length);
          default -> new String(bytes, offset, length, StandardCharsets.UTF_8);
        };
  }

  @Override
  public void setDecimal(int column, byte[] unscaled, int offset, int length) {
    row[column] =
        new BigDecimal(new BigInteger(unscaled, offset, length), columns.get(column).type().scale())
            .toPlainString();
  }

  @Override
  public void setTimestamp(int column, long epochSecond, int nano) {
    row[column] = LocalDateTime.ofEpochSecond(epochSecond, nano, ZoneOffset.UTC).toString();
  }

  @Override
  public void unparsable(int column, byte[] raw, int offset, int length) {
    unparsable++;
  }

  @Override
  public void endRow() {
    rows.add(row);
  }

  @Override
  public void reject(long line, int column, String reason) {
    throw new AssertionError("line " + line + " was refused by a lenient format: " + reason);
  }
}
