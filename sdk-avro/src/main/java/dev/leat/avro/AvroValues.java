package dev.leat.avro;

import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import dev.leat.internal.cell.Coercion;
import dev.leat.internal.cell.HybridCalendar;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericFixed;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/** Avro's generic values as values of columns. Belongs to one thread. */
final class AvroValues {
  private final ZoneId zone;
  private final boolean hybridDates;
  private boolean misfit;

  /**
   * Creates a converter.
   *
   * @param zone where timestamps, which are instants, are shown
   * @param hybridDates whether days before 1582-10-15 are counted in the old calendar
   */
  AvroValues(ZoneId zone, boolean hybridDates) {
    this.zone = zone;
    this.hybridDates = hybridDates;
  }

  /** Whether the value that was made last does not fit its column. */
  boolean isMisfit() {
    return misfit;
  }

  @Nullable Object value(ColumnType type, Schema schema, @Nullable Object value) {
    misfit = false;
    Object made = part(type, schema, value);
    misfit = made == null && value != null;
    return made;
  }

  private @Nullable Object part(ColumnType type, Schema schema, @Nullable Object value) {
    if (value == null) {
      return null;
    }
    if (schema.getType() == Schema.Type.UNION) {
      int branch = GenericData.get().resolveUnion(schema, value);
      return part(type, schema.getTypes().get(branch), value);
    }
    return switch (type.kind()) {
      case ARRAY -> {
        if (!(value instanceof Collection<?> elements)) {
          yield null;
        }
        List<@Nullable Object> list = new ArrayList<>(elements.size());
        for (Object element : elements) {
          list.add(part(type.element(), schema.getElementType(), element));
        }
        yield list;
      }
      case MAP -> {
        if (!(value instanceof Map<?, ?> entries)) {
          yield null;
        }
        Map<Object, @Nullable Object> map = new LinkedHashMap<>();
        entries.forEach(
            (key, entry) -> {
              Object made = Coercion.to(type.key(), key.toString());
              if (made != null) {
                map.put(made, part(type.value(), schema.getValueType(), entry));
              }
            });
        yield map;
      }
      case STRUCT -> value instanceof IndexedRecord struct ? struct(type, struct) : null;
      default -> {
        Object raw = scalar(schema, value);
        yield raw == null ? null : Coercion.to(type, raw);
      }
    };
  }

  private List<@Nullable Object> struct(ColumnType type, IndexedRecord record) {
    @Nullable Object[] fields = new Object[type.fields().size()];
    for (int i = 0; i < fields.length; i++) {
      Column field = type.fields().get(i);
      Schema.Field found = AvroRows.find(record.getSchema(), field.name());
      if (found != null) {
        fields[i] = part(field.type(), found.schema(), record.get(found.pos()));
      }
    }
    return Arrays.asList(fields);
  }

  private @Nullable Object scalar(Schema schema, Object value) {
    LogicalType logical = schema.getLogicalType();
    return switch (schema.getType()) {
      case INT ->
          logical instanceof LogicalTypes.Date
              ? date(((Number) value).longValue())
              : (Object) ((Number) value).longValue();
      case LONG ->
          logical != null && AvroTypes.isTimestamp(logical.getName())
              ? timestamp(((Number) value).longValue(), logical.getName())
              : value;
      case BOOLEAN, FLOAT, DOUBLE -> value;
      case STRING, ENUM -> value.toString();
      case BYTES -> {
        ByteBuffer buffer = ((ByteBuffer) value).duplicate();
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        yield bytes(logical, bytes);
      }
      case FIXED -> bytes(logical, ((GenericFixed) value).bytes().clone());
      case ARRAY, MAP, RECORD, UNION, NULL -> null;
    };
  }

  private static Object bytes(@Nullable LogicalType logical, byte[] bytes) {
    return logical instanceof LogicalTypes.Decimal decimal
        ? new BigDecimal(new BigInteger(bytes), decimal.getScale())
        : bytes;
  }

  private LocalDate date(long days) {
    return hybridDates ? HybridCalendar.date(days) : LocalDate.ofEpochDay(days);
  }

  private LocalDateTime timestamp(long value, String logical) {
    long perSecond =
        logical.endsWith("-millis")
            ? 1_000
            : logical.endsWith("-micros") ? 1_000_000 : 1_000_000_000;
    long seconds = Math.floorDiv(value, perSecond);
    int nanos = (int) (Math.floorMod(value, perSecond) * (1_000_000_000 / perSecond));
    LocalDateTime time =
        logical.startsWith("local-")
            ? LocalDateTime.ofEpochSecond(seconds, nanos, ZoneOffset.UTC)
            : LocalDateTime.ofInstant(Instant.ofEpochSecond(seconds, nanos), zone);
    return hybridDates
        ? HybridCalendar.date(time.toLocalDate().toEpochDay()).atTime(time.toLocalTime())
        : time;
  }
}
