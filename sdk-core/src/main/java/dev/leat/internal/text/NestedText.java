package dev.leat.internal.text;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Cells with parts, as Hive's {@code LazyArray}, {@code LazyMap} and {@code LazyStruct} read them:
 * each level of nesting has a separator of its own, and a map takes two. Belongs to one thread.
 */
final class NestedText {
  /** Hive has eight separators; the first one stands between the cells of a line. */
  private static final int MAX_SEPARATORS = 8;

  private final TextLayout layout;
  private final byte[] separators = new byte[MAX_SEPARATORS];
  private final byte[] nullMarker;
  private final CapturedCell captured = new CapturedCell();
  private final Map<ColumnType, CellDecoder> scalars = new HashMap<>();
  private @Nullable String refusal;

  NestedText(TextLayout layout) {
    this.layout = layout;
    this.nullMarker = layout.nullMarker().getBytes(StandardCharsets.UTF_8);
    separators[0] = layout.delimiter();
    separators[1] = layout.collectionDelimiter();
    separators[2] = layout.mapKeyDelimiter();
    for (int i = 3; i < MAX_SEPARATORS; i++) {
      separators[i] = (byte) (i + 1);
    }
  }

  /** Refuses a column for which there are not enough separators. */
  static void check(Column column) {
    if (separators(column.type()) >= MAX_SEPARATORS) {
      throw new LeatException(
          ErrorCode.TYPE_MISMATCH,
          "the column '"
              + column.name()
              + "' of type "
              + column.type()
              + " is nested deeper than delimited text has separators for ("
              + MAX_SEPARATORS
              + "); use JSON, Avro, ORC or Parquet");
    }
  }

  private static int separators(ColumnType type) {
    int own =
        switch (type.kind()) {
          case ARRAY, STRUCT -> 1;
          case MAP -> 2;
          default -> 0;
        };
    return own + type.fields().stream().mapToInt(field -> separators(field.type())).max().orElse(0);
  }

  /** Why a strict format refuses the cell that was read last, or null if it does not. */
  @Nullable String refusal() {
    return refusal;
  }

  /** Reads a cell of a column, which is not NULL. */
  Object read(ColumnType type, byte[] bytes, int start, int end) {
    refusal = null;
    return nested(type, bytes, start, end, 1);
  }

  private Object nested(ColumnType type, byte[] bytes, int start, int end, int level) {
    return switch (type.kind()) {
      case ARRAY -> array(type, bytes, start, end, level);
      case MAP -> map(type, bytes, start, end, level);
      case STRUCT -> struct(type, bytes, start, end, level);
      default -> throw new IllegalStateException(type + " has no parts");
    };
  }

  private List<@Nullable Object> array(
      ColumnType type, byte[] bytes, int start, int end, int level) {
    List<@Nullable Object> elements = new ArrayList<>();
    if (start == end) {
      return elements;
    }
    for (int from = start; from <= end; ) {
      int to = partEnd(bytes, from, end, separators[level]);
      elements.add(part(type.element(), bytes, from, to, level + 1));
      from = to + 1;
    }
    return elements;
  }

  private Map<Object, @Nullable Object> map(
      ColumnType type, byte[] bytes, int start, int end, int level) {
    Map<Object, @Nullable Object> entries = new LinkedHashMap<>();
    if (start == end) {
      return entries;
    }
    for (int from = start; from <= end; ) {
      int to = partEnd(bytes, from, end, separators[level]);
      int keyEnd = partEnd(bytes, from, to, separators[level + 1]);
      Object key = part(type.key(), bytes, from, keyEnd, level + 2);
      // An entry without a key is none, and of several of one key the first counts.
      if (key != null && !entries.containsKey(key)) {
        entries.put(
            key, keyEnd == to ? null : part(type.value(), bytes, keyEnd + 1, to, level + 2));
      }
      from = to + 1;
    }
    return entries;
  }

  private List<@Nullable Object> struct(
      ColumnType type, byte[] bytes, int start, int end, int level) {
    List<@Nullable Object> fields = new ArrayList<>();
    int from = start;
    for (Column field : type.fields()) {
      if (from > end) {
        fields.add(null);
        continue;
      }
      int to = partEnd(bytes, from, end, separators[level]);
      fields.add(part(field.type(), bytes, from, to, level + 1));
      from = to + 1;
    }
    return fields;
  }

  /** The place of the next separator that is not escaped, or the end. */
  private int partEnd(byte[] bytes, int from, int end, byte separator) {
    boolean escapes = layout.escape().isPresent();
    byte escape = layout.escape().orElse((byte) 0);
    int i = from;
    while (i < end && bytes[i] != separator) {
      i += escapes && bytes[i] == escape && i + 1 < end ? 2 : 1;
    }
    return i;
  }

  private @Nullable Object part(ColumnType type, byte[] bytes, int start, int end, int level) {
    if (Arrays.equals(bytes, start, end, nullMarker, 0, nullMarker.length)) {
      return null;
    }
    if (type.isNested()) {
      return nested(type, bytes, start, end, level);
    }
    CellDecoder decoder =
        scalars.computeIfAbsent(
            type, scalar -> new CellDecoder(List.of(new Column("part", scalar)), layout, captured));
    captured.begin(type);
    String reason = decoder.deliver(0, bytes, start, end, isEscaped(bytes, start, end), false);
    if (reason != null && refusal == null) {
      refusal = "a part of " + reason;
    }
    return captured.value();
  }

  private boolean isEscaped(byte[] bytes, int start, int end) {
    if (layout.escape().isPresent()) {
      for (int i = start; i < end; i++) {
        if (bytes[i] == layout.escape().get()) {
          return true;
        }
      }
    }
    return false;
  }
}
