package dev.leat.spi;

import static java.util.Objects.requireNonNull;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.format.Column;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link RowFormatFactory} makes a format of: the columns of the table and the options that
 * somebody wrote, checked against those that the format has. Immutable.
 *
 * <p>Every accessor throws {@link LeatException} {@code INVALID_DEFINITION} that names the format,
 * the option and the value where the text does not say what the option means.
 */
public final class FormatOptions {
  private static final Pattern UNICODE = Pattern.compile("\\\\u([0-9A-Fa-f]{4})");
  private static final Pattern OCTAL = Pattern.compile("\\\\([0-7]{3})");

  private final String format;
  private final Map<String, FormatOption> known;
  private final List<Column> columns;
  private final Map<String, String> given;

  private FormatOptions(
      String format,
      Map<String, FormatOption> known,
      List<Column> columns,
      Map<String, String> given) {
    this.format = format;
    this.known = known;
    this.columns = columns;
    this.given = given;
  }

  /**
   * Checks options.
   *
   * @param factory the format
   * @param columns the columns that stand in the files of the table, in the order of the table,
   *     without those of its partitions
   * @param given the options by name, without a prefix
   * @throws LeatException {@code INVALID_DEFINITION} for an option that the format does not have;
   *     the message lists those that it has
   */
  public static FormatOptions of(
      RowFormatFactory factory, List<Column> columns, Map<String, String> given) {
    Map<String, FormatOption> known = new TreeMap<>();
    factory.options().forEach(option -> known.put(option.name(), option));
    for (String name : new TreeMap<>(given).keySet()) {
      if (!known.containsKey(name)) {
        throw new LeatException(
            ErrorCode.INVALID_DEFINITION,
            "the format '"
                + factory.identifier()
                + "' has no option '"
                + name
                + "'; "
                + (known.isEmpty()
                    ? "it has none"
                    : "it has "
                        + known.values().stream()
                            .map(
                                option ->
                                    option.name()
                                        + option
                                            .defaultValue()
                                            .map(value -> " (" + shown(value) + ")")
                                            .orElse(""))
                            .collect(Collectors.joining(", "))));
      }
    }
    return new FormatOptions(factory.identifier(), known, List.copyOf(columns), Map.copyOf(given));
  }

  private static String shown(String value) {
    return value.isEmpty() ? "empty by default" : value + " by default";
  }

  /** The columns that stand in the files of the table, in the order of the table. */
  public List<Column> columns() {
    return columns;
  }

  /** The value of an option: the one that was given, else the default, if there is one. */
  public Optional<String> text(String name) {
    FormatOption option = known.get(requireNonNull(name, "name"));
    if (option == null) {
      throw new IllegalArgumentException(
          "the format '" + format + "' asks for the option '" + name + "', which it does not list");
    }
    String value = given.get(name);
    return value == null ? option.defaultValue() : Optional.of(value);
  }

  /**
   * The value of an option that is one character: written as itself, as {@code \\t}, as {@code
   * \\001} with three octal digits, or as {@code \\u0001}.
   */
  public Optional<Character> character(String name) {
    return text(name)
        .map(
            value -> {
              Character character = characterOf(value);
              if (character == null) {
                throw invalid(
                    name, value, "one character such as |, \\t, \\001 (octal) or \\u0001");
              }
              return character;
            });
  }

  private static @Nullable Character characterOf(String value) {
    if (value.length() == 1) {
      return value.charAt(0);
    }
    if (value.equals("\\t")) {
      return '\t';
    }
    if (value.equals("\\\\")) {
      return '\\';
    }
    var octal = OCTAL.matcher(value);
    if (octal.matches()) {
      return (char) Integer.parseInt(octal.group(1), 8);
    }
    var unicode = UNICODE.matcher(value);
    return unicode.matches() ? (char) Integer.parseInt(unicode.group(1), 16) : null;
  }

  /** The value of an option that is a whole number, 0 or more. */
  public Optional<Integer> count(String name) {
    return text(name)
        .map(
            value -> {
              try {
                int number = Integer.parseInt(value.strip());
                if (number >= 0) {
                  return number;
                }
              } catch (NumberFormatException e) {
                throw invalid(name, value, "a whole number, 0 or more");
              }
              throw invalid(name, value, "a whole number, 0 or more");
            });
  }

  /** The value of an option that is {@code true} or {@code false}; false where it has none. */
  public boolean flag(String name) {
    String value = text(name).orElse("false");
    return switch (value.strip().toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default -> throw invalid(name, value, "true or false");
    };
  }

  /** The value of an option that names a character set. */
  public Optional<Charset> charset(String name) {
    return text(name)
        .map(
            value -> {
              try {
                return Charset.forName(value.strip());
              } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
                throw invalid(name, value, "a character set of this Java, e.g. UTF-8");
              }
            });
  }

  /** The error for an option whose value does not say what it means. */
  public LeatException invalid(String name, String value, String expected) {
    return new LeatException(
        ErrorCode.INVALID_DEFINITION,
        "the option '"
            + name
            + "' of the format '"
            + format
            + "' is '"
            + value
            + "'; it must be "
            + expected);
  }
}
