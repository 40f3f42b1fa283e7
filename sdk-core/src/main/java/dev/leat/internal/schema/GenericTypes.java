package dev.leat.internal.schema;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;

/** Java's types with their arguments, as far as nested columns need them. */
public final class GenericTypes {
  private GenericTypes() {}

  /** The class of a type, without its arguments. */
  public static Class<?> rawClass(Type type) {
    if (type instanceof Class<?> raw) {
      return raw;
    }
    if (type instanceof ParameterizedType parameterized) {
      return rawClass(parameterized.getRawType());
    }
    return type instanceof WildcardType wildcard
        ? rawClass(wildcard.getUpperBounds()[0])
        : Object.class;
  }

  /** The argument of a type such as {@code List<String>}; Object where it has none. */
  public static Type argument(Type type, int position) {
    if (type instanceof WildcardType wildcard) {
      return argument(wildcard.getUpperBounds()[0], position);
    }
    return type instanceof ParameterizedType parameterized
        ? parameterized.getActualTypeArguments()[position]
        : Object.class;
  }
}
