package dev.leat.it.text;

import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** Makes lines of JSON whose values mostly fit their columns, and sometimes do not. */
final class AwkwardJson {
  private static final String[] VALUES = {
    "null",
    "true",
    "false",
    "0",
    "1",
    "-1",
    "-0",
    "1.5",
    "-0.0",
    "1e3",
    "1E-2",
    "1e400",
    "2147483648",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775809",
    "123456789012345678901234567890",
    "0.1234567890123456",
    "128",
    "40000",
    "\"\"",
    "\" \"",
    "\"true\"",
    "\"True\"",
    "\" true \"",
    "\"12\"",
    "\" 12 \"",
    "\"1.9\"",
    "\"x\"",
    "\"NaN\"",
    "\"-7\"",
    "\"+7\"",
    "\"1e2\"",
    "\"null\"",
    "\"\\\\N\"",
    "\"\\u00e9\\ud83d\\ude00\"",
    "\"2024-02-29\"",
    "\"2023-02-29\"",
    "\"2024-1-2\"",
    "\"1-1-1\"",
    "\"2024-02-29 01:02:03\"",
    "\"2024-02-29T01:02:03.5\"",
    "\"2024-02-29 01:02:03.123456789\"",
    "\"AQI=\"",
    "\"AQI\"",
    "\"*\"",
    "[]",
    "{}",
    "[1,2]",
    "[null]",
    "{\"a\":1}",
    "{\"k\":\"v\",\"l\":\"w\"}",
    "[[1],[2]]",
    "[{\"f0\":1,\"F1\":\"x\"}]",
    "{\"f0\":1.50,\"f1\":[true],\"f2\":\"2020-01-01\"}"
  };

  private static final String[] BROKEN = {
    "{",
    "}",
    "{\"c0\":",
    "{\"c0\":1",
    "{\"c0\":1,}",
    "{c0:1}",
    "{'c0':1}",
    "[1]",
    "7",
    "\"x\"",
    "nul",
    "{\"c0\":01}",
    "{\"c0\":NaN}",
    "{\"c0\":\"a\nb\"}",
    "{\"c0\":\"\\x\"}",
    "\u0000"
  };

  private final Random random;

  AwkwardJson(Random random) {
    this.random = random;
  }

  String line(List<Column> columns) {
    if (random.nextInt(60) == 0) {
      return BROKEN[random.nextInt(BROKEN.length)].replace("\n", "\\n");
    }
    List<String> members = new ArrayList<>();
    for (Column column : columns) {
      int copies = random.nextInt(40) == 0 ? 2 : random.nextInt(15) == 0 ? 0 : 1;
      String name = random.nextInt(6) == 0 ? column.name().toUpperCase(Locale.ROOT) : column.name();
      for (int i = 0; i < copies; i++) {
        members.add("\"" + name + "\":" + blanks() + value(column.type()));
      }
    }
    if (random.nextInt(5) == 0) {
      members.add("\"unknown\":" + VALUES[random.nextInt(VALUES.length)]);
    }
    Collections.shuffle(members, random);
    String end = random.nextInt(50) == 0 ? " {\"c0\":2}" : random.nextInt(50) == 0 ? " x" : "";
    return "{" + blanks() + String.join("," + blanks(), members) + "}" + end;
  }

  private String blanks() {
    return random.nextInt(8) == 0 ? " \t".substring(random.nextInt(2)) : "";
  }

  private String value(ColumnType type) {
    if (random.nextInt(150) == 0) {
      return VALUES[random.nextInt(VALUES.length)];
    }
    if (random.nextInt(15) == 0) {
      return "null";
    }
    return switch (type.kind()) {
      case BOOLEAN -> random.nextInt(5) == 0 ? "\"true\"" : Boolean.toString(random.nextBoolean());
      case TINYINT -> whole(8);
      case SMALLINT -> whole(16);
      case INT -> whole(32);
      case BIGINT -> whole(64);
      case FLOAT, DOUBLE ->
          random.nextInt(4) == 0 ? whole(40) : Double.toString(random.nextGaussian() * 1e6);
      case DECIMAL -> decimal(type);
      case STRING, CHAR, VARCHAR -> text();
      case DATE ->
          String.format(
              Locale.ROOT,
              "\"%04d-%02d-%02d\"",
              1 + random.nextInt(9999),
              1 + random.nextInt(12),
              1 + random.nextInt(28));
      case TIMESTAMP ->
          String.format(
              Locale.ROOT,
              "\"%04d-%02d-%02d %02d:%02d:%02d%s\"",
              1 + random.nextInt(9999),
              1 + random.nextInt(12),
              1 + random.nextInt(28),
              random.nextInt(24),
              random.nextInt(60),
              random.nextInt(60),
              random.nextBoolean() ? "" : "." + (1 + random.nextInt(999_999_999)));
      case BINARY -> {
        byte[] bytes = new byte[random.nextInt(9)];
        random.nextBytes(bytes);
        yield "\"" + java.util.Base64.getEncoder().encodeToString(bytes) + "\"";
      }
      case ARRAY -> {
        List<String> elements = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          elements.add(value(type.element()));
        }
        yield "[" + String.join("," + blanks(), elements) + "]";
      }
      case MAP -> {
        List<String> entries = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          entries.add(key(type.key()) + ":" + blanks() + value(type.value()));
        }
        yield "{" + String.join(",", entries) + "}";
      }
      case STRUCT -> {
        List<String> fields = new ArrayList<>();
        for (Column field : type.fields()) {
          if (random.nextInt(10) > 0) {
            fields.add(
                "\""
                    + (random.nextBoolean() ? field.name() : field.name().toUpperCase(Locale.ROOT))
                    + "\":"
                    + value(field.type()));
          }
        }
        yield "{" + String.join(",", fields) + "}";
      }
    };
  }

  private String key(ColumnType type) {
    String value;
    do {
      value = value(type);
    } while (value.startsWith("[") || value.startsWith("{") || value.equals("null"));
    return value.startsWith("\"") ? value : "\"" + value + "\"";
  }

  private String whole(int bits) {
    long value = random.nextLong() >> (64 - bits) >> random.nextInt(bits);
    return random.nextInt(10) == 0 ? "\"" + value + "\"" : Long.toString(value);
  }

  /** At most 15 digits, since Hive reads a number with a point as a double. */
  private String decimal(ColumnType type) {
    int whole = random.nextInt(Math.min(11, type.precision() - type.scale() + 1) + 1);
    int fraction = random.nextInt(Math.min(4, type.scale() + 1) + 1);
    StringBuilder digits = new StringBuilder(random.nextBoolean() ? "-" : "");
    digits.append(whole == 0 ? "0" : "");
    for (int i = 0; i < whole; i++) {
      digits.append(i == 0 ? 1 + random.nextInt(9) : random.nextInt(10));
    }
    for (int i = 0; i < fraction; i++) {
      digits.append(i == 0 ? "." : "").append(random.nextInt(10));
    }
    return random.nextInt(3) == 0 ? "\"" + digits + "\"" : digits.toString();
  }

  private String text() {
    StringBuilder text = new StringBuilder("\"");
    for (int i = random.nextInt(12); i > 0; i--) {
      text.append(
          switch (random.nextInt(12)) {
            case 0 -> "\\n";
            case 1 -> "\\\"";
            case 2 -> "\\u20ac";
            case 3 -> "ü";
            case 4 -> "😀";
            case 5 -> " ";
            case 6 -> "\\/";
            default -> String.valueOf((char) ('a' + random.nextInt(26)));
          });
    }
    return text.append('"').toString();
  }
}
