package dev.leat.it.text;

import dev.leat.format.ColumnType;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.Locale;
import java.util.Random;

/** Makes cells that a type can just read, just not read, or that look as if it could. */
final class AwkwardCells {
  private static final String[] WORDS = {
    "NULL",
    "null",
    "\\N",
    "N",
    "n/a",
    "-",
    "+",
    ".",
    "-.",
    "+.",
    " ",
    "  ",
    "\t",
    "e",
    "E5",
    "NaN",
    "nan",
    "NaN ",
    "-NaN",
    "Infinity",
    "-Infinity",
    "inf",
    "0x1p3",
    "0x10",
    "0x1.8p1",
    "true",
    "TRUE",
    "True",
    "tRuE",
    "false",
    "FALSE",
    "t",
    "f",
    "T",
    "1",
    "0",
    "yes",
    " true",
    "true ",
    "TRUEx",
    "falsE",
    "\u0000",
    "\u007f",
    "ünïcödé",
    "日本語",
    "😀",
    "a😀b😀c😀d",
    "\u0660\u0661\u0662",
    "１２３",
    "--1",
    "+-1",
    "1-",
    "1_000",
    "1,000",
    "1L",
    "1d",
    "1f",
    "1D",
    "12 34",
    "1e",
    "1e+",
    "1e-",
    "1E +5",
    "1.5.5",
    "..5",
    "5..",
    "1.e3",
    ".e3",
    "00",
    "-0",
    "+0",
    "-0.0",
    "0.0",
    "000000000000000000000000000000000000000000001",
    "%",
    "2147483648",
    "\\",
    "\\\\",
    "a\\",
    "\\n",
    "\\r",
    "\\t",
    "\\|",
    "x\\|y",
    "\\\\n"
  };

  private final Random random;

  AwkwardCells(Random random) {
    this.random = random;
  }

  byte[] cell(ColumnType type) {
    if (random.nextInt(100) < 4) {
      return new byte[0];
    }
    byte[] cell = text(type).getBytes(StandardCharsets.UTF_8);
    return random.nextInt(100) < 12 ? damaged(cell) : cell;
  }

  private String text(ColumnType type) {
    int choice = random.nextInt(100);
    if (choice < 12) {
      return one(WORDS);
    }
    if (choice < 18) {
      return blanks() + typed(type) + blanks();
    }
    return typed(type);
  }

  private String typed(ColumnType type) {
    return switch (type.kind()) {
      case BOOLEAN ->
          one("true", "false", "TRUE", "FALSE", "True", "t", "f", "1", "0", "yes", "trues");
      case TINYINT -> whole(Byte.MAX_VALUE);
      case SMALLINT -> whole(Short.MAX_VALUE);
      case INT -> whole(Integer.MAX_VALUE);
      case BIGINT -> whole(Long.MAX_VALUE);
      case FLOAT, DOUBLE -> real();
      case DECIMAL -> decimal(type);
      case STRING, CHAR, VARCHAR -> words();
      case DATE -> date(4);
      case TIMESTAMP -> timestamp();
      case BINARY -> binary();
      case ARRAY, MAP, STRUCT -> throw new IllegalArgumentException(type + " has cells inside");
    };
  }

  private String whole(long max) {
    String number =
        switch (random.nextInt(8)) {
          case 0 -> Long.toString(random.nextLong());
          case 1 ->
              random.nextBoolean() ? Long.toString(max) : "-" + Long.toUnsignedString(max + 1);
          case 2 -> Long.toUnsignedString(max + 1 + random.nextInt(12));
          case 3 -> "-" + Long.toUnsignedString(max + 1 + random.nextInt(12));
          case 4 -> digits(1 + random.nextInt(25));
          default -> Long.toString(random.nextLong() % (max / 2 + 1));
        };
    return switch (random.nextInt(10)) {
      case 0 -> "+" + number;
      case 1 -> "0000" + number;
      case 2 -> number + "." + digits(random.nextInt(4));
      case 3 -> number + "." + digits(random.nextInt(3)) + one(".", "e3", " ", "x");
      case 4 -> "." + digits(random.nextInt(3));
      default -> number;
    };
  }

  private String real() {
    return switch (random.nextInt(10)) {
      case 0 -> Double.toString(Double.longBitsToDouble(random.nextLong()));
      case 1 -> Float.toString(Float.intBitsToFloat(random.nextInt()));
      case 2 -> digits(1 + random.nextInt(40)) + "." + digits(random.nextInt(40));
      case 3 ->
          sign()
              + digits(random.nextInt(20))
              + "."
              + digits(random.nextInt(6))
              + one("e", "E")
              + sign()
              + digits(random.nextInt(4));
      case 4 ->
          sign()
              + digits(1 + random.nextInt(18))
              + one(
                  "", "e0", "e22", "e-22", "e23", "e-23", "E+10", "e-10", "e11", "e308", "e-324",
                  "e400");
      case 5 -> sign() + digits(random.nextInt(3)) + one("f", "d", "F", "D", "L", "e", "p1");
      case 6 -> String.format(Locale.ROOT, "%.7g", random.nextGaussian() * 1e6);
      case 7 -> sign() + (1L << 24) + one("0", "1", "", ".0", ".5");
      case 8 -> sign() + (1L << 53) + one("0", "1", "", ".0", ".5");
      default -> sign() + random.nextInt(100_000) + "." + digits(1 + random.nextInt(3));
    };
  }

  private String decimal(ColumnType type) {
    int before = Math.max(0, type.precision() - type.scale() + random.nextInt(5) - 3);
    int after = Math.max(0, type.scale() + random.nextInt(7) - 3);
    return switch (random.nextInt(10)) {
      case 0 -> sign() + digits(random.nextInt(60)) + "." + digits(random.nextInt(60));
      case 1 -> sign() + "9".repeat(before) + "." + "9".repeat(after) + one("", "4", "5");
      case 2 ->
          sign()
              + digits(random.nextInt(30))
              + one(".", "")
              + digits(random.nextInt(30))
              + one("e", "E")
              + sign()
              + digits(random.nextInt(4));
      case 3 ->
          sign()
              + "0.".repeat(random.nextInt(2))
              + "0".repeat(random.nextInt(45))
              + digits(random.nextInt(10))
              + one("", "e5", "e-5", "E37", "E-37", "e-60", "e60");
      case 4 -> sign() + digits(before) + "." + "0".repeat(random.nextInt(50)) + one("", "1", "5");
      case 5 ->
          sign()
              + digits(random.nextInt(6))
              + one("", ".", ".5", ".49999999999999999999999999999999999999999999")
              + one("", " ", "\t", "e", "e ", "e+ ", "e1 ", "\u000b");
      default -> sign() + digits(before) + "." + digits(after);
    };
  }

  private String words() {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(4); i >= 0; i--) {
      text.append(
          random.nextInt(3) == 0
              ? one(WORDS)
              : digits(random.nextInt(5)) + one("", " ", "  ", "é", "€", "𝄞"));
    }
    return text.toString();
  }

  private String date(int yearDigits) {
    String year =
        one("", "", "", "-")
            + (random.nextInt(4) == 0
                ? digits(1 + random.nextInt(yearDigits + 2))
                : Integer.toString(1800 + random.nextInt(400)));
    String month = two(random.nextInt(20) == 0 ? random.nextInt(20) : 1 + random.nextInt(12));
    String day = two(random.nextInt(20) == 0 ? random.nextInt(40) : 1 + random.nextInt(31));
    String end =
        random.nextInt(5) == 0
            ? one("x", " ", "T00:00:00", " 00:00:00", "0", "00", "-1", "Z", "\u0000")
            : "";
    return year + "-" + month + one("-", "-", "-", "-", "-", "/", "") + day + end;
  }

  private String timestamp() {
    if (random.nextInt(4) == 0) {
      return LocalDateTime.ofEpochSecond(
              random.nextLong() % 100_000_000_000L, random.nextInt(4) * 1_000_001, ZoneOffset.UTC)
          .toString();
    }
    String time =
        two(random.nextInt(25))
            + one(":", ":", ":", ":", ":", ".")
            + two(random.nextInt(61))
            + one(":", ":", ":", ":", ":", "")
            + two(random.nextInt(61));
    String fraction = random.nextInt(3) == 0 ? "" : "." + digits(random.nextInt(11));
    String end = random.nextInt(8) == 0 ? one("Z", "x", " ", "+01:00", " UTC", "0") : "";
    String year =
        random.nextInt(10) == 0
            ? one("-", "+", "", "-0", "+0") + digits(1 + random.nextInt(11)) + "-01-02"
            : date(4);
    return year + one(" ", " ", " ", "T", "t", "  ", "") + time + fraction + end;
  }

  private String binary() {
    byte[] bytes = new byte[random.nextInt(12)];
    random.nextBytes(bytes);
    return switch (random.nextInt(5)) {
      case 0 -> Base64.getEncoder().withoutPadding().encodeToString(bytes);
      case 1 -> Base64.getUrlEncoder().encodeToString(bytes);
      case 2 -> Base64.getEncoder().encodeToString(bytes) + one("=", "A", "\t", " ");
      case 3 -> words();
      default -> Base64.getEncoder().encodeToString(bytes);
    };
  }

  private String two(int number) {
    return random.nextInt(3) == 0
        ? Integer.toString(number)
        : String.format(Locale.ROOT, "%02d", number);
  }

  private String digits(int count) {
    StringBuilder digits = new StringBuilder();
    boolean round = random.nextInt(4) == 0;
    for (int i = 0; i < count; i++) {
      digits.append(
          (char) (round && i > 0 ? one("0", "0", "9", "5").charAt(0) : '0' + random.nextInt(10)));
    }
    return digits.toString();
  }

  private String sign() {
    return one("", "", "", "-", "+");
  }

  private String blanks() {
    return one("", " ", "  ", "\t", "\u000b", "\f", "\u0001", "\u00a0", "\u3000");
  }

  private String one(String... choices) {
    return choices[random.nextInt(choices.length)];
  }

  /** Changes, adds or takes away a byte. */
  private byte[] damaged(byte[] cell) {
    int at = random.nextInt(cell.length + 1);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(cell, 0, at);
    int rest = Math.min(cell.length, at + random.nextInt(2));
    if (random.nextInt(3) > 0) {
      out.write(
          random.nextInt(3) == 0
              ? random.nextInt(256)
              : one("-", "+", ".", "0", "9", "e", " ", "|", "\\", "\r", "\n", ":").charAt(0));
    }
    out.write(cell, rest, cell.length - rest);
    return out.toByteArray();
  }
}
