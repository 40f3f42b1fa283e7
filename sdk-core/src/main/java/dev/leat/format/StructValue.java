package dev.leat.format;

import dev.leat.DimensionRow;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The value of a STRUCT. */
final class StructValue implements DimensionRow {
  private final List<Column> fields;
  private final @Nullable Object[] values;

  StructValue(List<Column> fields, @Nullable Object[] values) {
    this.fields = fields;
    this.values = values;
  }

  @Override
  public List<Column> columns() {
    return fields;
  }

  @Override
  public @Nullable Object value(int position) {
    Object value = values[position];
    return value instanceof byte[] bytes ? bytes.clone() : value;
  }

  @Override
  public @Nullable Object value(String field) {
    for (int i = 0; i < values.length; i++) {
      if (fields.get(i).name().equals(field)) {
        return value(i);
      }
    }
    throw new IllegalArgumentException(
        "there is no field '"
            + field
            + "'; there are "
            + fields.stream().map(Column::name).toList());
  }

  /** Two values are equal if their fields are, with their names and types. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof StructValue that
        && fields.equals(that.fields)
        && Arrays.deepEquals(values, that.values);
  }

  @Override
  public int hashCode() {
    return Arrays.deepHashCode(values);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("{");
    for (int i = 0; i < values.length; i++) {
      text.append(i == 0 ? "" : ", ")
          .append(fields.get(i).name())
          .append('=')
          .append(values[i] instanceof byte[] bytes ? bytes.length + " bytes" : values[i]);
    }
    return text.append('}').toString();
  }
}
