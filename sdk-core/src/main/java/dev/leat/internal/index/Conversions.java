package dev.leat.internal.index;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.format.Column;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Which Java types can stand for each other, and how. */
final class Conversions {
  private static final List<Class<?>> INTEGERS =
      List.of(byte.class, short.class, int.class, long.class);
  private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
  private static final int MAX_SHOWN = 60;

  private Conversions() {}

  /**
   * A method handle that makes a value of one type from one of another without a loss: a box, a
   * wider number, an instant from a date and time in UTC, a UUID from its text. Null stays null,
   * where the types allow it.
   *
   * @throws LeatException {@code TYPE_MISMATCH} where there is none
   */
  static MethodHandle between(Class<?> from, Class<?> to, Column column) {
    Class<?> source = MethodType.methodType(from).unwrap().returnType();
    Class<?> target = MethodType.methodType(to).unwrap().returnType();
    if (source == target) {
      return MethodHandles.identity(from).asType(MethodType.methodType(to, from));
    }
    boolean wider =
        (INTEGERS.contains(source) && INTEGERS.indexOf(source) < INTEGERS.indexOf(target))
            || (source == float.class && target == double.class);
    if (wider && (from.isPrimitive() || to.isPrimitive())) {
      MethodHandle primitive =
          MethodHandles.identity(source).asType(MethodType.methodType(target, source));
      return primitive.asType(MethodType.methodType(to, from));
    }
    if (wider) {
      MethodHandle widen =
          MethodHandles.identity(source)
              .asType(MethodType.methodType(target, source))
              .asType(MethodType.methodType(to, from));
      MethodHandle isNull =
          find("isNull", boolean.class, Object.class)
              .asType(MethodType.methodType(boolean.class, from));
      return MethodHandles.guardWithTest(
          isNull, MethodHandles.dropArguments(MethodHandles.constant(to, null), 0, from), widen);
    }
    if (from == String.class && to == UUID.class) {
      return find("uuid", UUID.class, String.class);
    }
    if (from == UUID.class && to == String.class) {
      return find("text", String.class, UUID.class);
    }
    if (from == LocalDateTime.class && to == Instant.class) {
      return find("instant", Instant.class, LocalDateTime.class);
    }
    if (from == Instant.class && to == LocalDateTime.class) {
      return find("dateTime", LocalDateTime.class, Instant.class);
    }
    throw new LeatException(
        ErrorCode.TYPE_MISMATCH,
        "the column '"
            + column.name()
            + "' of type "
            + column.type()
            + " cannot become a "
            + to.getSimpleName()
            + "; use "
            + CellReaders.naturalType(column).getSimpleName());
  }

  static boolean isNull(@Nullable Object value) {
    return value == null;
  }

  static @Nullable UUID uuid(@Nullable String text) {
    if (text == null) {
      return null;
    }
    try {
      return UUID.fromString(text);
    } catch (IllegalArgumentException e) {
      throw new LeatException(
          ErrorCode.TYPE_MISMATCH,
          "the cell '" + shown(text) + "' is no UUID; repair the source, or use a String",
          e);
    }
  }

  private static String shown(String text) {
    return text.length() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) + "…" : text;
  }

  static @Nullable String text(@Nullable UUID uuid) {
    return uuid == null ? null : uuid.toString();
  }

  static @Nullable Instant instant(@Nullable LocalDateTime dateTime) {
    return dateTime == null ? null : dateTime.toInstant(ZoneOffset.UTC);
  }

  static @Nullable LocalDateTime dateTime(@Nullable Instant instant) {
    return instant == null ? null : LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
  }

  private static MethodHandle find(String name, Class<?> result, Class<?> parameter) {
    try {
      return LOOKUP.findStatic(Conversions.class, name, MethodType.methodType(result, parameter));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
