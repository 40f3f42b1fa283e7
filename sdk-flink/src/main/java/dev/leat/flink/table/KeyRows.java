package dev.leat.flink.table;

import dev.leat.internal.index.KeyCells;
import dev.leat.internal.index.KeyShape;
import java.util.List;
import org.apache.flink.core.memory.MemorySegment;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.data.binary.BinaryStringData;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.TimestampType;

/** Reads the key of a lookup off the row in which Flink hands it over. */
final class KeyRows implements KeyShape<RowData> {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final Component[] components;

  /**
   * A shape for keys.
   *
   * @param types the types of the components, in the order in which Flink gives them
   * @param positions for each column of the index's key, the position of its component
   */
  KeyRows(List<LogicalType> types, int[] positions) {
    this.components = new Component[positions.length];
    for (int i = 0; i < positions.length; i++) {
      components[i] = component(types.get(positions[i]), positions[i], i);
    }
  }

  @Override
  public boolean write(RowData key, KeyCells cells) {
    for (Component component : components) {
      if (!component.write(key, cells)) {
        return false;
      }
    }
    return true;
  }

  /** Whether no component is NULL: whether a key could have a row at all. */
  boolean complete(RowData key) {
    for (int i = 0; i < components.length; i++) {
      if (key.isNullAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Writes one component. */
  private interface Component {
    /** Writes it, or returns false for a NULL. */
    boolean write(RowData key, KeyCells cells);
  }

  private static Component component(LogicalType type, int from, int to) {
    return switch (type.getTypeRoot()) {
      case BOOLEAN ->
          (key, cells) -> {
            if (key.isNullAt(from)) {
              return false;
            }
            cells.setLong(to, key.getBoolean(from) ? 1 : 0);
            return true;
          };
      case TINYINT ->
          (key, cells) -> {
            if (key.isNullAt(from)) {
              return false;
            }
            cells.setLong(to, key.getByte(from));
            return true;
          };
      case SMALLINT ->
          (key, cells) -> {
            if (key.isNullAt(from)) {
              return false;
            }
            cells.setLong(to, key.getShort(from));
            return true;
          };
      case INTEGER, DATE ->
          (key, cells) -> {
            if (key.isNullAt(from)) {
              return false;
            }
            cells.setLong(to, key.getInt(from));
            return true;
          };
      case BIGINT ->
          (key, cells) -> {
            if (key.isNullAt(from)) {
              return false;
            }
            cells.setLong(to, key.getLong(from));
            return true;
          };
      case FLOAT ->
          (key, cells) -> {
            if (key.isNullAt(from)) {
              return false;
            }
            cells.setDouble(to, key.getFloat(from));
            return true;
          };
      case DOUBLE ->
          (key, cells) -> {
            if (key.isNullAt(from)) {
              return false;
            }
            cells.setDouble(to, key.getDouble(from));
            return true;
          };
      case VARCHAR ->
          (key, cells) -> {
            if (key.isNullAt(from)) {
              return false;
            }
            writeText((BinaryStringData) key.getString(from), cells, to);
            return true;
          };
      case CHAR -> character(from, to);
      case BINARY, VARBINARY ->
          (key, cells) -> {
            if (key.isNullAt(from)) {
              return false;
            }
            byte[] bytes = key.getBinary(from);
            cells.setBytes(to, bytes, 0, bytes.length);
            return true;
          };
      case DECIMAL -> decimal((DecimalType) type, from, to);
      case TIMESTAMP_WITHOUT_TIME_ZONE -> timestamp((TimestampType) type, from, to);
      default -> throw new IllegalStateException("a key of type " + type + " was let through");
    };
  }

  /** A CHAR is padded in Flink and has no spaces at its end in an index. */
  private static Component character(int from, int to) {
    return (key, cells) -> {
      if (key.isNullAt(from)) {
        return false;
      }
      // The index itself leaves out the spaces.
      writeText((BinaryStringData) key.getString(from), cells, to);
      return true;
    };
  }

  /** Writes a text without a copy of its bytes, where they stand in one array. */
  private static void writeText(BinaryStringData text, KeyCells cells, int to) {
    text.ensureMaterialized();
    MemorySegment[] segments = text.getSegments();
    byte[] array = segments.length == 1 ? segments[0].getHeapMemory() : null;
    if (array == null) {
      byte[] copy = text.toBytes();
      cells.setBytes(to, copy, 0, copy.length);
    } else {
      cells.setBytes(to, array, text.getOffset(), text.getSizeInBytes());
    }
  }

  private static Component decimal(DecimalType type, int from, int to) {
    int precision = type.getPrecision();
    int scale = type.getScale();
    return (key, cells) -> {
      if (key.isNullAt(from)) {
        return false;
      }
      DecimalData value = key.getDecimal(from, precision, scale);
      if (value.isCompact()) {
        cells.setDecimal(to, value.toUnscaledLong());
      } else {
        cells.setDecimal(to, value.toBigDecimal());
      }
      return true;
    };
  }

  private static Component timestamp(TimestampType type, int from, int to) {
    int precision = type.getPrecision();
    return (key, cells) -> {
      if (key.isNullAt(from)) {
        return false;
      }
      TimestampData value = key.getTimestamp(from, precision);
      long millis = value.getMillisecond();
      cells.setTimestamp(
          to,
          Math.floorDiv(millis, 1000L),
          (int) (Math.floorMod(millis, 1000L) * NANOS_PER_MILLI) + value.getNanoOfMillisecond());
      return true;
    };
  }
}
