package dev.leat.internal.cell;

import dev.leat.format.ColumnType;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Turns a value of a file's type into one of a column's type, where the two differ because the
 * table was altered after the file was written: numbers become wider or narrower, everything
 * becomes text, text becomes what it says. What does not fit is null.
 */
public final class Coercion {
  private Coercion() {}

  /**
   * The value as a column without parts has it.
   *
   * @param value a Boolean, Number, BigDecimal, String, {@code byte[]}, LocalDate or LocalDateTime
   */
  public static @Nullable Object to(ColumnType type, Object value) {
    return switch (type.kind()) {
      case BOOLEAN -> toBoolean(value);
      case TINYINT -> whole(value, Byte.MIN_VALUE, Byte.MAX_VALUE);
      case SMALLINT -> whole(value, Short.MIN_VALUE, Short.MAX_VALUE);
      case INT -> whole(value, Integer.MIN_VALUE, Integer.MAX_VALUE);
      case BIGINT -> whole(value, Long.MIN_VALUE, Long.MAX_VALUE);
      case FLOAT -> {
        Double real = real(value);
        yield real == null ? null : real.floatValue();
      }
      case DOUBLE -> real(value);
      case DECIMAL -> decimal(type, value);
      case STRING -> text(value);
      case VARCHAR -> cut(text(value), type.precision());
      case CHAR -> cut(text(value), type.precision()).replaceFirst(" +\\z", "");
      case DATE -> date(value);
      case TIMESTAMP -> timestamp(value);
      case BINARY -> value instanceof byte[] ? value : text(value).getBytes(StandardCharsets.UTF_8);
      case ARRAY, MAP, STRUCT -> null;
    };
  }

  private static @Nullable Boolean toBoolean(Object value) {
    if (value instanceof Boolean bool) {
      return bool;
    }
    if (value instanceof Number number) {
      return number.doubleValue() != 0;
    }
    return switch (text(value).toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default -> null;
    };
  }

  private static @Nullable Long whole(Object value, long min, long max) {
    BigDecimal number;
    if (value instanceof Double || value instanceof Float) {
      double real = ((Number) value).doubleValue();
      if (Double.isNaN(real) || Double.isInfinite(real)) {
        return null;
      }
      number = new BigDecimal(real);
    } else if (value instanceof BigDecimal decimal) {
      number = decimal;
    } else if (value instanceof Number integer) {
      long whole = integer.longValue();
      return whole < min || whole > max ? null : whole;
    } else if (value instanceof Boolean bool) {
      return bool ? 1L : 0L;
    } else if (value instanceof String text) {
      number = number(text);
    } else {
      return null;
    }
    if (number == null || number.precision() - (long) number.scale() > 20) {
      return null;
    }
    BigDecimal cutOff = number.setScale(0, RoundingMode.DOWN);
    return cutOff.compareTo(BigDecimal.valueOf(min)) < 0
            || cutOff.compareTo(BigDecimal.valueOf(max)) > 0
        ? null
        : cutOff.longValueExact();
  }

  private static @Nullable Double real(Object value) {
    if (value instanceof Number number) {
      return number.doubleValue();
    }
    if (value instanceof Boolean bool) {
      return bool ? 1.0 : 0.0;
    }
    if (value instanceof String text) {
      try {
        return Double.valueOf(text.strip());
      } catch (NumberFormatException e) {
        return null; // what says no number is NULL
      }
    }
    return null;
  }

  private static @Nullable BigDecimal decimal(ColumnType type, Object value) {
    BigDecimal number;
    if (value instanceof BigDecimal decimal) {
      number = decimal;
    } else if (value instanceof Double || value instanceof Float) {
      number = number(value.toString());
    } else if (value instanceof Number integer) {
      number = BigDecimal.valueOf(integer.longValue());
    } else {
      number = value instanceof String text ? number(text) : null;
    }
    if (number == null || number.scale() < -100 || number.scale() > 1_000) {
      return null;
    }
    BigDecimal scaled = number.setScale(type.scale(), RoundingMode.HALF_UP);
    return scaled.signum() != 0 && scaled.precision() > type.precision() ? null : scaled;
  }

  private static @Nullable BigDecimal number(String text) {
    try {
      return new BigDecimal(text.strip());
    } catch (NumberFormatException e) {
      return null; // what says no number is NULL
    }
  }

  private static String text(Object value) {
    if (value instanceof byte[] bytes) {
      return new String(bytes, StandardCharsets.UTF_8);
    }
    if (value instanceof BigDecimal decimal) {
      return decimal.toPlainString();
    }
    if (value instanceof LocalDateTime time) {
      String seconds = time.toLocalTime().withNano(0).toString();
      String fraction =
          time.getNano() == 0
              ? ""
              : String.format(Locale.ROOT, ".%09d", time.getNano()).replaceFirst("0+\\z", "");
      return time.toLocalDate()
          + " "
          + (seconds.length() == 5 ? seconds + ":00" : seconds)
          + fraction;
    }
    return value.toString();
  }

  private static String cut(String text, int characters) {
    return text.codePointCount(0, text.length()) <= characters
        ? text
        : text.substring(0, text.offsetByCodePoints(0, characters));
  }

  private static @Nullable LocalDate date(Object value) {
    if (value instanceof LocalDate date) {
      return date;
    }
    if (value instanceof LocalDateTime time) {
      return time.toLocalDate();
    }
    if (value instanceof String text) {
      try {
        return LocalDate.parse(text.strip());
      } catch (DateTimeParseException e) {
        return null; // what says no date is NULL
      }
    }
    return null;
  }

  private static @Nullable LocalDateTime timestamp(Object value) {
    if (value instanceof LocalDateTime time) {
      return time;
    }
    if (value instanceof LocalDate date) {
      return date.atStartOfDay();
    }
    if (value instanceof String text) {
      try {
        return LocalDateTime.parse(text.strip().replace(' ', 'T'));
      } catch (DateTimeParseException e) {
        return null; // what says no time is NULL
      }
    }
    return null;
  }
}
