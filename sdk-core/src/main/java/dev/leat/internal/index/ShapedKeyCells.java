package dev.leat.internal.index;

import dev.leat.format.ColumnType;
import dev.leat.format.ColumnType.Kind;
import java.math.BigDecimal;
import java.util.List;

/** Lets a {@link KeyShape} write into a {@link KeyBuffer}. Belongs to one thread. */
final class ShapedKeyCells<K> implements KeyWriter, KeyCells {
  private final KeyShape<K> shape;
  private final ColumnType[] types;

  /** Which integers a component can hold; none where it is no integer. */
  private final long[] min;

  private final long[] max;
  private KeyBuffer buffer;

  ShapedKeyCells(KeyShape<K> shape, List<ColumnType> keyTypes) {
    this.shape = shape;
    this.types = keyTypes.toArray(ColumnType[]::new);
    this.buffer = new KeyBuffer(new KeyForm(keyTypes));
    this.min = new long[types.length];
    this.max = new long[types.length];
    for (int i = 0; i < types.length; i++) {
      switch (types[i].kind()) {
        case BOOLEAN -> range(i, 0, 1);
        case TINYINT -> range(i, Byte.MIN_VALUE, Byte.MAX_VALUE);
        case SMALLINT -> range(i, Short.MIN_VALUE, Short.MAX_VALUE);
        case INT, DATE -> range(i, Integer.MIN_VALUE, Integer.MAX_VALUE);
        case BIGINT -> range(i, Long.MIN_VALUE, Long.MAX_VALUE);
        default -> range(i, Long.MAX_VALUE, Long.MIN_VALUE);
      }
    }
  }

  private void range(int component, long from, long to) {
    min[component] = from;
    max[component] = to;
  }

  @Override
  @SuppressWarnings("unchecked") // The lookup's keys are what its shape reads.
  public void write(KeyBuffer target, Object key) {
    buffer = target;
    if (!shape.write((K) key, this)) {
      target.notRepresentable();
    }
  }

  @Override
  public void setLong(int component, long value) {
    if (value >= min[component] && value <= max[component]) {
      buffer.setNumber(component, value);
    } else if (min[component] > max[component]) {
      throw wrong(component, "an integer, a boolean or a date");
    } else {
      buffer.notRepresentable();
    }
  }

  @Override
  public void setDouble(int component, double value) {
    Kind kind = types[component].kind();
    if (kind == Kind.DOUBLE) {
      buffer.setNumber(component, KeyForm.numberOf(ColumnType.Kind.DOUBLE, value));
    } else if (kind != Kind.FLOAT) {
      throw wrong(component, "a floating-point number");
    } else if ((float) value == value || Double.isNaN(value)) {
      buffer.setNumber(component, KeyForm.numberOf(ColumnType.Kind.FLOAT, value));
    } else {
      buffer.notRepresentable();
    }
  }

  @Override
  public void setText(int component, String value) {
    switch (types[component].kind()) {
      case STRING, VARCHAR -> buffer.setText(component, value);
      case CHAR -> buffer.setText(component, KeyAccess.withoutTrailingSpaces(value));
      default -> throw wrong(component, "a text");
    }
  }

  @Override
  public void setBytes(int component, byte[] value, int offset, int length) {
    int count = length;
    Kind kind = types[component].kind();
    if (kind == Kind.CHAR) {
      while (count > 0 && value[offset + count - 1] == ' ') {
        count--;
      }
    } else if (KeyForm.width(types[component]) != 0) {
      throw wrong(component, "a text or bytes");
    }
    if (count > KeyForm.MAX_LENGTH - buffer.length()) {
      buffer.notRepresentable();
    } else {
      buffer.setBytes(component, value, offset, count);
    }
  }

  @Override
  public void setDecimal(int component, long unscaled) {
    if (types[component].kind() != Kind.DECIMAL) {
      throw wrong(component, "a decimal");
    }
    buffer.setDecimal(component, unscaled);
  }

  @Override
  public void setDecimal(int component, BigDecimal value) {
    if (types[component].kind() != Kind.DECIMAL) {
      throw wrong(component, "a decimal");
    }
    KeyAccess.writeDecimal(component, types[component], buffer, value);
  }

  @Override
  public void setTimestamp(int component, long epochSecond, int nano) {
    if (types[component].kind() != Kind.TIMESTAMP) {
      throw wrong(component, "a timestamp");
    }
    buffer.setTimestamp(component, epochSecond, nano);
  }

  private IllegalArgumentException wrong(int component, String what) {
    return new IllegalArgumentException(
        "component "
            + component
            + " of the key has the type "
            + types[component]
            + " and cannot be set as "
            + what);
  }
}
