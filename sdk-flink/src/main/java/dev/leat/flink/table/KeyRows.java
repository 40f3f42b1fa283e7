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

  /** For each column of the index's key, the position of its component. */
  private final int[] positions;

  private final Component[] components;

  /**
   * A shape for keys.
   *
   * @param types the types of the components, in the order in which Flink gives them
   * @param positions for each column of the index's key, the position of its component
   */
  KeyRows(List<LogicalType> types, int[] positions) {
    this.positions = positions.clone();
    this.components = new Component[positions.length];
    for (int i = 0; i < positions.length; i++) {
      components[i] = component(types.get(positions[i]), positions[i], i);
    }
  }

  @Override
  public boolean write(RowData key, KeyCells cells) {
    if (!complete(key)) {
      return false;
    }
    for (Component component : components) {
      component.write(key, cells);
    }
    return true;
  }

  /** Whether no component is NULL: whether a key could have a row at all. */
  boolean complete(RowData key) {
    for (int position : positions) {
      if (key.isNullAt(position)) {
        return false;
      }
    }
    return true;
  }

  /** Writes one component, which is not NULL. */
  private interface Component {
    void write(RowData key, KeyCells cells);
  }

  private static Component component(LogicalType type, int from, int to) {
    return switch (type.getTypeRoot()) {
      case BOOLEAN -> (key, cells) -> cells.setLong(to, key.getBoolean(from) ? 1 : 0);
      case TINYINT -> (key, cells) -> cells.setLong(to, key.getByte(from));
      case SMALLINT -> (key, cells) -> cells.setLong(to, key.getShort(from));
      case INTEGER, DATE -> (key, cells) -> cells.setLong(to, key.getInt(from));
      case BIGINT -> (key, cells) -> cells.setLong(to, key.getLong(from));
      case FLOAT -> (key, cells) -> cells.setDouble(to, key.getFloat(from));
      case DOUBLE -> (key, cells) -> cells.setDouble(to, key.getDouble(from));
      // An index leaves out the spaces by which Flink pads a CHAR.
      case VARCHAR, CHAR ->
          (key, cells) -> writeText((BinaryStringData) key.getString(from), cells, to);
      case BINARY, VARBINARY ->
          (key, cells) -> {
            byte[] bytes = key.getBinary(from);
            cells.setBytes(to, bytes, 0, bytes.length);
          };
      case DECIMAL -> decimal((DecimalType) type, from, to);
      case TIMESTAMP_WITHOUT_TIME_ZONE -> timestamp((TimestampType) type, from, to);
      default -> throw new IllegalStateException("a key of type " + type + " was let through");
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
      DecimalData value = key.getDecimal(from, precision, scale);
      if (value.isCompact()) {
        cells.setDecimal(to, value.toUnscaledLong());
      } else {
        cells.setDecimal(to, value.toBigDecimal());
      }
    };
  }

  private static Component timestamp(TimestampType type, int from, int to) {
    int precision = type.getPrecision();
    return (key, cells) -> {
      TimestampData value = key.getTimestamp(from, precision);
      long millis = value.getMillisecond();
      cells.setTimestamp(
          to,
          Math.floorDiv(millis, 1000L),
          (int) (Math.floorMod(millis, 1000L) * NANOS_PER_MILLI) + value.getNanoOfMillisecond());
    };
  }
}
