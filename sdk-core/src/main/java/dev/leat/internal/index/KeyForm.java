package dev.leat.internal.index;

import dev.leat.format.ColumnType;
import java.util.List;

/**
 * How the values of the key's columns stand in the bytes of a key: first the numbers in a fixed
 * width, then the lengths of all texts but the last, then the texts. Two keys have the same bytes
 * only if all their values are the same.
 */
final class KeyForm {
  /** The longest key. */
  static final int MAX_LENGTH = 1 << 20;

  private final List<ColumnType> types;
  private final int[] offsets;
  private final int fixedLength;

  KeyForm(List<ColumnType> types) {
    this.types = List.copyOf(types);
    this.offsets = new int[types.size()];
    int next = 0;
    int lastText = -1;
    for (int i = 0; i < offsets.length; i++) {
      int width = width(types.get(i));
      if (width > 0) {
        offsets[i] = next;
        next += width;
      } else {
        lastText = i;
      }
    }
    for (int i = 0; i < offsets.length; i++) {
      if (width(types.get(i)) == 0) {
        offsets[i] = i == lastText ? -1 : next;
        next += i == lastText ? 0 : 4;
      }
    }
    fixedLength = next;
  }

  List<ColumnType> types() {
    return types;
  }

  /**
   * Where a column's number, or the length of its text, stands; -1 for the last text, whose length
   * is that of the rest.
   */
  int offset(int column) {
    return offsets[column];
  }

  /** The length of what stands before the texts. */
  int fixedLength() {
    return fixedLength;
  }

  /**
   * The number that stands for a FLOAT or DOUBLE in a key: its bits, but the same for both zeros,
   * which are equal in SQL, and the same for all that is no number.
   */
  static long numberOf(ColumnType.Kind kind, double value) {
    double oneZero = value + 0.0;
    return kind == ColumnType.Kind.FLOAT
        ? Float.floatToIntBits((float) oneZero)
        : Double.doubleToLongBits(oneZero);
  }

  /** The bytes of a value of the type; 0 where they are as many as the value has. */
  static int width(ColumnType type) {
    return switch (type.kind()) {
      case BOOLEAN, TINYINT -> 1;
      case SMALLINT -> 2;
      case INT, DATE, FLOAT -> 4;
      case BIGINT, DOUBLE -> 8;
      case TIMESTAMP -> 12;
      case DECIMAL -> type.precision() <= 18 ? 8 : 16;
      case STRING, CHAR, VARCHAR, BINARY -> 0;
      case ARRAY, MAP, STRUCT ->
          throw new IllegalArgumentException("a key's column cannot be " + type);
    };
  }

  /** Whether a cell of the type is a string of bytes, in a key or not. */
  static boolean isBytes(ColumnType type) {
    return switch (type.kind()) {
      case STRING, CHAR, VARCHAR, BINARY, ARRAY, MAP, STRUCT -> true;
      default -> false;
    };
  }
}
