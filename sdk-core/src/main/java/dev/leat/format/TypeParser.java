package dev.leat.format;

import dev.leat.format.ColumnType.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** One run of {@link ColumnType#parse}. */
final class TypeParser {
  /** Deeper than any table, and far from the end of the stack. */
  private static final int MAX_DEPTH = 64;

  private static final int DEFAULT_DECIMAL_PRECISION = 10;

  private static final Map<String, Kind> NAMES =
      Map.ofEntries(
          Map.entry("boolean", Kind.BOOLEAN),
          Map.entry("tinyint", Kind.TINYINT),
          Map.entry("smallint", Kind.SMALLINT),
          Map.entry("int", Kind.INT),
          Map.entry("integer", Kind.INT),
          Map.entry("bigint", Kind.BIGINT),
          Map.entry("float", Kind.FLOAT),
          Map.entry("real", Kind.DOUBLE),
          Map.entry("double", Kind.DOUBLE),
          Map.entry("decimal", Kind.DECIMAL),
          Map.entry("numeric", Kind.DECIMAL),
          Map.entry("dec", Kind.DECIMAL),
          Map.entry("string", Kind.STRING),
          Map.entry("char", Kind.CHAR),
          Map.entry("varchar", Kind.VARCHAR),
          Map.entry("date", Kind.DATE),
          Map.entry("timestamp", Kind.TIMESTAMP),
          Map.entry("binary", Kind.BINARY),
          Map.entry("array", Kind.ARRAY),
          Map.entry("map", Kind.MAP),
          Map.entry("struct", Kind.STRUCT));

  private static final Set<String> KNOWN_BUT_NOT_READ =
      Set.of(
          "uniontype",
          "timestamplocaltz",
          "interval_year_month",
          "interval_day_time",
          "interval",
          "void");

  private final String text;
  private int position;

  TypeParser(String text) {
    this.text = text;
  }

  ColumnType parse() {
    ColumnType type = type(0);
    skipBlanks();
    if (position < text.length()) {
      throw error("nothing should follow the type", position);
    }
    return type;
  }

  private ColumnType type(int depth) {
    skipBlanks();
    int start = position;
    String name = word().toLowerCase(Locale.ROOT);
    Kind kind = NAMES.get(name);
    if (kind == null) {
      throw error(
          KNOWN_BUT_NOT_READ.contains(name)
              ? "columns of the type " + name + " are not read; leave the column out"
              : name.isEmpty() ? "a type is missing" : "there is no type '" + name + "'",
          start);
    }
    if (depth > MAX_DEPTH) {
      throw error("types are nested deeper than " + MAX_DEPTH, start);
    }
    return switch (kind) {
      case DECIMAL -> decimal();
      case CHAR, VARCHAR -> {
        expect('(');
        int length = number();
        expect(')');
        yield new ColumnType(kind, length, 0);
      }
      case ARRAY -> {
        expect('<');
        ColumnType element = type(depth + 1);
        expect('>');
        yield ColumnType.array(element);
      }
      case MAP -> {
        expect('<');
        ColumnType key = type(depth + 1);
        expect(',');
        ColumnType value = type(depth + 1);
        expect('>');
        yield ColumnType.map(key, value);
      }
      case STRUCT -> {
        expect('<');
        List<Column> fields = new ArrayList<>();
        do {
          String field = fieldName();
          expect(':');
          fields.add(new Column(field, type(depth + 1)));
        } while (accept(','));
        expect('>');
        yield ColumnType.struct(fields);
      }
      case TIMESTAMP -> {
        int end = position;
        if (word().equalsIgnoreCase("with")) {
          throw error("columns of the type timestamp with local time zone are not read", start);
        }
        position = end;
        yield ColumnType.TIMESTAMP;
      }
      case DOUBLE -> {
        int end = position;
        if (!word().equalsIgnoreCase("precision")) {
          position = end;
        }
        yield ColumnType.DOUBLE;
      }
      default -> new ColumnType(kind, 0, 0);
    };
  }

  private ColumnType decimal() {
    if (!accept('(')) {
      return ColumnType.decimal(DEFAULT_DECIMAL_PRECISION, 0);
    }
    int precision = number();
    int scale = accept(',') ? number() : 0;
    expect(')');
    return ColumnType.decimal(precision, scale);
  }

  /** Letters, digits and underscores, or what stands in backticks, where two stand for one. */
  private String fieldName() {
    skipBlanks();
    if (position < text.length() && text.charAt(position) == '`') {
      StringBuilder name = new StringBuilder();
      int start = position++;
      while (true) {
        int end = text.indexOf('`', position);
        if (end < 0) {
          throw error("the backtick is not closed", start);
        }
        name.append(text, position, end);
        position = end + 1;
        if (position >= text.length() || text.charAt(position) != '`') {
          return name.toString();
        }
        name.append('`');
        position++;
      }
    }
    int start = position;
    // Hive writes names as they are, so that everything up to the colon is one.
    int end = text.indexOf(':', start);
    if (end <= start || text.substring(start, end).isBlank()) {
      throw error("a field's name and ':' are missing", start);
    }
    position = end;
    return text.substring(start, end).strip();
  }

  private String word() {
    skipBlanks();
    int start = position;
    while (position < text.length()
        && (Character.isLetterOrDigit(text.charAt(position)) || text.charAt(position) == '_')) {
      position++;
    }
    return text.substring(start, position);
  }

  private int number() {
    skipBlanks();
    int start = position;
    String digits = word();
    try {
      return Integer.parseInt(digits);
    } catch (NumberFormatException e) {
      throw error("'" + digits + "' is no number", start);
    }
  }

  private boolean accept(char expected) {
    skipBlanks();
    if (position < text.length() && text.charAt(position) == expected) {
      position++;
      return true;
    }
    return false;
  }

  private void expect(char expected) {
    if (!accept(expected)) {
      throw error("'" + expected + "' is missing", position);
    }
  }

  private void skipBlanks() {
    while (position < text.length() && Character.isWhitespace(text.charAt(position))) {
      position++;
    }
  }

  private IllegalArgumentException error(String what, int at) {
    return new IllegalArgumentException(
        "'" + text + "' is not a type: " + what + " (at character " + (at + 1) + ")");
  }

  /** A field's name as {@link #fieldName()} reads it. */
  static String quotedWhereNeeded(String name) {
    boolean plain = name.equals(name.strip()) && name.indexOf(':') < 0 && name.indexOf('`') < 0;
    return plain ? name : "`" + name.replace("`", "``") + "`";
  }
}
