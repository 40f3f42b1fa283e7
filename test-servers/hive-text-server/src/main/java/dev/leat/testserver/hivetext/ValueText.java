package dev.leat.testserver.hivetext;

import java.math.RoundingMode;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hive.common.type.HiveDecimal;
import org.apache.hadoop.hive.common.type.Timestamp;
import org.apache.hadoop.hive.serde2.io.DateWritableV2;
import org.apache.hadoop.hive.serde2.io.HiveCharWritable;
import org.apache.hadoop.hive.serde2.io.HiveDecimalWritable;
import org.apache.hadoop.hive.serde2.io.TimestampWritableV2;
import org.apache.hadoop.hive.serde2.objectinspector.ListObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.MapObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.PrimitiveObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.StructField;
import org.apache.hadoop.hive.serde2.objectinspector.StructObjectInspector;
import org.apache.hadoop.hive.serde2.typeinfo.DecimalTypeInfo;
import org.apache.hadoop.io.BytesWritable;
import org.jspecify.annotations.Nullable;

/**
 * A value as text that says its value and nothing of its form: an array as {@code [a,b,]}, a map as
 * {@code {key=value,}} sorted, a struct as {@code (a,b,)}, where each part has its length in front,
 * so that no text can be taken for another, and NULL is {@code ~}.
 */
final class ValueText {
  private ValueText() {}

  static @Nullable String of(@Nullable Object value, ObjectInspector inspector) {
    if (value == null) {
      return null;
    }
    switch (inspector.getCategory()) {
      case PRIMITIVE -> {
        return primitive(value, (PrimitiveObjectInspector) inspector);
      }
      case LIST -> {
        ListObjectInspector list = (ListObjectInspector) inspector;
        List<?> elements = list.getList(value);
        if (elements == null) {
          return null;
        }
        StringBuilder text = new StringBuilder("[");
        for (Object element : elements) {
          text.append(part(of(element, list.getListElementObjectInspector()))).append(',');
        }
        return text.append(']').toString();
      }
      case MAP -> {
        MapObjectInspector map = (MapObjectInspector) inspector;
        Map<?, ?> entries = map.getMap(value);
        if (entries == null) {
          return null;
        }
        // In the order of the texts, since Hive keeps no order.
        List<String> texts = new ArrayList<>();
        entries.forEach(
            (key, entry) ->
                texts.add(
                    part(of(key, map.getMapKeyObjectInspector()))
                        + "="
                        + part(of(entry, map.getMapValueObjectInspector()))
                        + ","));
        Collections.sort(texts);
        return "{" + String.join("", texts) + "}";
      }
      case STRUCT -> {
        StructObjectInspector struct = (StructObjectInspector) inspector;
        StringBuilder text = new StringBuilder("(");
        for (StructField field : struct.getAllStructFieldRefs()) {
          text.append(
                  part(
                      of(struct.getStructFieldData(value, field), field.getFieldObjectInspector())))
              .append(',');
        }
        return text.append(')').toString();
      }
      default -> throw new IllegalArgumentException(inspector.getTypeName() + " has no text");
    }
  }

  private static String part(@Nullable String text) {
    return text == null ? "~" : text.length() + ":" + text;
  }

  private static @Nullable String primitive(Object value, PrimitiveObjectInspector inspector) {
    Object writable = inspector.getPrimitiveWritableObject(value);
    if (writable == null) {
      return null;
    }
    if (writable instanceof HiveDecimalWritable decimal) {
      HiveDecimal number = decimal.getHiveDecimal();
      int scale = ((DecimalTypeInfo) inspector.getTypeInfo()).scale();
      return number == null
          ? null
          : number.bigDecimalValue().setScale(scale, RoundingMode.HALF_UP).toPlainString();
    }
    if (writable instanceof HiveCharWritable character) {
      return character.getPaddedValue().toString();
    }
    if (writable instanceof DateWritableV2 date) {
      return LocalDate.ofEpochDay(date.getDays()).toString();
    }
    if (writable instanceof TimestampWritableV2 time) {
      Timestamp timestamp = time.getTimestamp();
      return LocalDateTime.ofEpochSecond(
              timestamp.toEpochSecond(), timestamp.getNanos(), ZoneOffset.UTC)
          .toString();
    }
    if (writable instanceof BytesWritable bytes) {
      return HexFormat.of().formatHex(bytes.getBytes(), 0, bytes.getLength());
    }
    return writable.toString();
  }
}
