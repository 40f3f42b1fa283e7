package dev.leat.internal.schema;

import dev.leat.DimensionRow;
import dev.leat.ErrorCode;
import dev.leat.LeatException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The parts of a row type that take a value each: the components of a record, or the fields of a
 * POJO.
 */
final class TargetShape {

  /** A part of a target before it has met its column. */
  record Part(String name, Type type, Optional<Member> writer) {}

  private TargetShape() {}

  /** The parts of a row type; none for {@link DimensionRow}, which has every column. */
  static List<Part> of(String dimension, Class<?> rowType) {
    if (rowType == DimensionRow.class) {
      return List.of();
    }
    List<Part> parts = rowType.isRecord() ? ofRecord(rowType) : ofPojo(dimension, rowType);
    if (parts.isEmpty()) {
      throw invalid(
          dimension,
          "the row type "
              + rowType.getName()
              + " has no "
              + (rowType.isRecord() ? "component" : "field")
              + " to hold a column; add one per column to keep");
    }
    return parts;
  }

  private static List<Part> ofRecord(Class<?> recordType) {
    List<Part> parts = new ArrayList<>();
    for (RecordComponent component : recordType.getRecordComponents()) {
      parts.add(new Part(component.getName(), component.getGenericType(), Optional.empty()));
    }
    return parts;
  }

  private static List<Part> ofPojo(String dimension, Class<?> type) {
    if (type.isInterface()
        || type.isArray()
        || type.isPrimitive()
        || type.isEnum()
        || type.isAnnotation()
        || type.getName().startsWith("java.")
        || Modifier.isAbstract(type.getModifiers())) {
      throw invalid(
          dimension,
          type.getName()
              + " cannot be a row type; use a record, a class with a constructor without parameters, or DimensionRow");
    }
    if (type.isMemberClass() && !Modifier.isStatic(type.getModifiers())) {
      throw invalid(
          dimension,
          "the row type "
              + type.getName()
              + " is an inner class and cannot be made without its outer object; declare it static");
    }
    if (Arrays.stream(type.getDeclaredConstructors())
        .map(Constructor::getParameterCount)
        .noneMatch(count -> count == 0)) {
      throw invalid(
          dimension,
          "the row type "
              + type.getName()
              + " has no constructor without parameters; add one, or make it a record");
    }
    List<Part> parts = new ArrayList<>();
    for (Class<?> declaring = type;
        declaring != null && declaring != Object.class;
        declaring = declaring.getSuperclass()) {
      List<Field> fields = new ArrayList<>(List.of(declaring.getDeclaredFields()));
      // The order of getDeclaredFields is not specified, and the result must be the same in every
      // process.
      fields.sort(Comparator.comparing(Field::getName));
      for (Field field : fields) {
        int modifiers = field.getModifiers();
        if (Modifier.isStatic(modifiers)
            || Modifier.isTransient(modifiers)
            || field.isSynthetic()) {
          continue;
        }
        Optional<Method> setter = setterOf(type, field);
        if (setter.isEmpty() && Modifier.isFinal(modifiers)) {
          throw invalid(
              dimension,
              "the field "
                  + field.getName()
                  + " of the row type "
                  + type.getName()
                  + " is final and cannot be set; make the type a record, or the field transient if no column belongs to it");
        }
        parts.add(
            new Part(
                field.getName(),
                field.getGenericType(),
                Optional.of(setter.isPresent() ? setter.get() : field)));
      }
    }
    return parts;
  }

  private static Optional<Method> setterOf(Class<?> type, Field field) {
    String name =
        "set"
            + field.getName().substring(0, 1).toUpperCase(Locale.ROOT)
            + field.getName().substring(1);
    try {
      return Optional.of(type.getMethod(name, field.getType()))
          .filter(method -> !Modifier.isStatic(method.getModifiers()));
    } catch (NoSuchMethodException e) {
      return Optional.empty();
    }
  }

  private static LeatException invalid(String dimension, String message) {
    return new LeatException(
        ErrorCode.INVALID_DEFINITION, "Dimension '" + dimension + "': " + message);
  }
}
