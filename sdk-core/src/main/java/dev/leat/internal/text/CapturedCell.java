package dev.leat.internal.text;

import dev.leat.format.ColumnType;
import dev.leat.format.ColumnType.Kind;
import dev.leat.spi.RowSink;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Takes one cell as an object that {@link dev.leat.format.NestedCellWriter} writes. Belongs to one
 * thread.
 */
final class CapturedCell implements RowSink {
  private ColumnType type = ColumnType.STRING;
  private @Nullable Object value;

  void begin(ColumnType cellType) {
    type = cellType;
    value = null;
  }

  /** The value of the cell; null where it is NULL or could not be read. */
  @Nullable Object value() {
    return value;
  }

  @Override
  public void setLong(int column, long number) {
    if (type.kind() == Kind.BOOLEAN) {
      value = number != 0;
    } else {
      value = number;
    }
  }

  @Override
  public void setDouble(int column, double number) {
    if (type.kind() == Kind.FLOAT) {
      value = (float) number;
    } else {
      value = number;
    }
  }

  @Override
  public void setBytes(int column, byte[] bytes, int offset, int length) {
    value =
        type.kind() == Kind.BINARY
            ? Arrays.copyOfRange(bytes, offset, offset + length)
            : new String(bytes, offset, length, StandardCharsets.UTF_8);
  }

  @Override
  public void setDecimal(int column, byte[] unscaled, int offset, int length) {
    value = new BigDecimal(new BigInteger(unscaled, offset, length), type.scale());
  }

  @Override
  public void setTimestamp(int column, long epochSecond, int nano) {
    value = LocalDateTime.ofEpochSecond(epochSecond, nano, ZoneOffset.UTC);
  }

  @Override
  public void unparsable(int column, byte[] raw, int offset, int length) {
    // NULL within its container, as Hive reads it.
  }

  @Override
  public void beginRow(long offset) {
    throw new IllegalStateException("a cell has no rows");
  }

  @Override
  public void endRow() {
    throw new IllegalStateException("a cell has no rows");
  }

  @Override
  public void reject(long line, int column, String reason) {
    throw new IllegalStateException("a cell has no rows");
  }
}
