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
  private final List<@Nullable String @Nullable []> rows = new ArrayList<>();
  private final List<Integer> unparsableInRow = new ArrayList<>();
  private final List<String> refusals = new ArrayList<>();
  private @Nullable String[] row = new String[0];
  private long unparsable;
  private int unparsableHere;

  CellTexts(List<Column> columns) {
    this.columns = columns;
  }

  /** The rows; in the place of one that was refused there is null. */
  List<@Nullable String @Nullable []> rows() {
    return rows;
  }

  /** How many cells of a row could not be read. */
  int unparsableIn(int row) {
    return unparsableInRow.get(row);
  }

  List<String> refusals() {
    return refusals;
  }

  long unparsableCells() {
    return unparsable;
  }

  @Override
  public void beginRow(long offset) {
    row = new String[columns.size()];
    unparsableHere = 0;
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
          case ARRAY, MAP, STRUCT ->
              NestedTexts.of(columns.get(column).type(), bytes, offset, length);
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
    unparsableHere++;
  }

  @Override
  public void endRow() {
    rows.add(row);
    unparsableInRow.add(unparsableHere);
  }

  @Override
  public void reject(long line, int column, String reason) {
    rows.add(null);
    unparsableInRow.add(unparsableHere);
    refusals.add(reason);
  }
}
