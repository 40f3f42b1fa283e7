package dev.leat.format;

import static java.util.Objects.requireNonNull;

import java.io.Serializable;

/**
 * A named, typed column of a dimension.
 *
 * @param name the name as the source has it, e.g. {@code customer_id}; not blank
 * @param type the type of its values; every column may hold NULL
 */
public record Column(String name, ColumnType type) implements Serializable {

  /** Checks that the name is not blank. */
  public Column {
    requireNonNull(name, "name");
    requireNonNull(type, "type");
    if (name.isBlank()) {
      throw new IllegalArgumentException("a column's name must not be blank");
    }
  }
}
