package dev.leat.spi;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * An option of a format.
 *
 * @param name its name, e.g. {@code field-delimiter}
 * @param description what it says, as one sentence for a table of options
 * @param defaultValue what holds where it is not given, as text, or empty where it has no default
 */
public record FormatOption(String name, String description, Optional<String> defaultValue) {

  /** Checks that nothing is null. */
  public FormatOption {
    requireNonNull(name, "name");
    requireNonNull(description, "description");
    requireNonNull(defaultValue, "defaultValue");
  }

  /** An option without a default. */
  public static FormatOption of(String name, String description) {
    return new FormatOption(name, description, Optional.empty());
  }

  /** An option with a default. */
  public static FormatOption of(String name, String description, String defaultValue) {
    return new FormatOption(name, description, Optional.of(defaultValue));
  }
}
