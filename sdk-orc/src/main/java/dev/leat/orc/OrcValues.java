package dev.leat.orc;

import dev.leat.format.ColumnType;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.orc.storage.common.type.HiveDecimal;
import org.apache.orc.storage.ql.exec.vector.BytesColumnVector;
import org.apache.orc.storage.ql.exec.vector.ColumnVector;
import org.apache.orc.storage.ql.exec.vector.DecimalColumnVector;
import org.apache.orc.storage.ql.exec.vector.DoubleColumnVector;
import org.apache.orc.storage.ql.exec.vector.ListColumnVector;
import org.apache.orc.storage.ql.exec.vector.LongColumnVector;
import org.apache.orc.storage.ql.exec.vector.MapColumnVector;
import org.apache.orc.storage.ql.exec.vector.StructColumnVector;
import org.apache.orc.storage.ql.exec.vector.TimestampColumnVector;
import org.jspecify.annotations.Nullable;

/** The values of ORC's vectors as objects. */
final class OrcValues {
  private static final int MILLIS = 1_000;

  private OrcValues() {}

  static @Nullable Object value(ColumnType type, ColumnVector vector, int row) {
    int at = vector.isRepeating ? 0 : row;
    if (!vector.noNulls && vector.isNull[at]) {
      return null;
    }
    return switch (type.kind()) {
      case BOOLEAN -> ((LongColumnVector) vector).vector[at] != 0;
      case TINYINT, SMALLINT, INT, BIGINT, DATE -> ((LongColumnVector) vector).vector[at];
      case FLOAT -> (float) ((DoubleColumnVector) vector).vector[at];
      case DOUBLE -> ((DoubleColumnVector) vector).vector[at];
      case DECIMAL -> decimal(type, ((DecimalColumnVector) vector).vector[at].getHiveDecimal());
      case STRING, VARCHAR, BINARY -> bytes((BytesColumnVector) vector, at);
      case CHAR -> trimmed(bytes((BytesColumnVector) vector, at));
      case TIMESTAMP -> {
        TimestampColumnVector times = (TimestampColumnVector) vector;
        yield LocalDateTime.ofEpochSecond(
            Math.floorDiv(times.time[at], MILLIS), times.nanos[at], ZoneOffset.UTC);
      }
      case ARRAY -> {
        ListColumnVector list = (ListColumnVector) vector;
        List<@Nullable Object> elements = new ArrayList<>();
        for (long i = list.offsets[at]; i < list.offsets[at] + list.lengths[at]; i++) {
          elements.add(value(type.element(), list.child, (int) i));
        }
        yield elements;
      }
      case MAP -> {
        MapColumnVector map = (MapColumnVector) vector;
        Map<Object, @Nullable Object> entries = new LinkedHashMap<>();
        for (long i = map.offsets[at]; i < map.offsets[at] + map.lengths[at]; i++) {
          Object key = value(type.key(), map.keys, (int) i);
          if (key != null) {
            entries.put(comparable(type.key(), key), value(type.value(), map.values, (int) i));
          }
        }
        yield entries;
      }
      case STRUCT -> {
        StructColumnVector struct = (StructColumnVector) vector;
        @Nullable Object[] fields = new Object[type.fields().size()];
        for (int i = 0; i < fields.length; i++) {
          fields[i] = value(type.fields().get(i).type(), struct.fields[i], at);
        }
        yield Arrays.asList(fields);
      }
    };
  }

  private static @Nullable BigDecimal decimal(ColumnType type, @Nullable HiveDecimal value) {
    if (value == null) {
      return null;
    }
    BigDecimal scaled = value.bigDecimalValue().setScale(type.scale(), RoundingMode.HALF_UP);
    return scaled.signum() != 0 && scaled.precision() > type.precision() ? null : scaled;
  }

  private static byte[] bytes(BytesColumnVector vector, int at) {
    return Arrays.copyOfRange(
        vector.vector[at], vector.start[at], vector.start[at] + vector.length[at]);
  }

  /** A CHAR is padded in files of other tools. */
  private static byte[] trimmed(byte[] padded) {
    int end = padded.length;
    while (end > 0 && padded[end - 1] == ' ') {
      end--;
    }
    return end == padded.length ? padded : Arrays.copyOf(padded, end);
  }

  /** Arrays are no keys of a Java map. */
  private static Object comparable(ColumnType type, Object key) {
    return key instanceof byte[] bytes && type.kind() != ColumnType.Kind.BINARY
        ? new String(bytes, java.nio.charset.StandardCharsets.UTF_8)
        : key;
  }
}
