package dev.leat.internal.filter;

import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The values with which a column is compared, sorted, in the form in which its cells are compared.
 */
abstract class Values {
  final int column;
  final int count;

  private Values(int column, int count) {
    this.column = column;
    this.count = count;
  }

  /** How the cell stands to a value: negative, zero or positive as in a comparator. */
  abstract int compare(BufferedRow row, int index);

  /** Whether the cell is equal to nothing and neither less nor greater. */
  boolean isUnordered(BufferedRow row) {
    return false;
  }

  /** Whether the cell is one of the values. */
  final boolean contain(BufferedRow row) {
    int low = 0;
    int high = count - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = compare(row, middle);
      if (order == 0) {
        return true;
      }
      if (order < 0) {
        high = middle - 1;
      } else {
        low = middle + 1;
      }
    }
    return false;
  }

  /** The values for a column, or empty where one of them cannot be compared with it. */
  static Optional<Values> of(int number, Column column, List<Object> values) {
    return Optional.ofNullable(forKind(number, column.type(), values));
  }

  private static @Nullable Values forKind(int number, ColumnType type, List<Object> values) {
    return switch (type.kind()) {
      case BOOLEAN ->
          all(values, Boolean.class)
              ? new Longs(number, values.stream().mapToLong(v -> ((Boolean) v) ? 1 : 0))
              : null;
      case TINYINT, SMALLINT, INT, BIGINT ->
          all(values, Long.class)
              ? new Longs(number, values.stream().mapToLong(v -> (Long) v))
              : exact(values) ? new Decimals(number, values, 0, true) : null;
      case FLOAT, DOUBLE ->
          all(values, Number.class)
              ? new Doubles(number, values.stream().mapToDouble(v -> ((Number) v).doubleValue()))
              : null;
      case DECIMAL -> exact(values) ? new Decimals(number, values, type.scale(), false) : null;
      case STRING, VARCHAR -> all(values, String.class) ? new Texts(number, values, false) : null;
      case CHAR -> all(values, String.class) ? new Texts(number, values, true) : null;
      case DATE ->
          all(values, LocalDate.class)
              ? new Longs(number, values.stream().mapToLong(v -> ((LocalDate) v).toEpochDay()))
              : null;
      case TIMESTAMP -> all(values, LocalDateTime.class) ? new Timestamps(number, values) : null;
      default -> null;
    };
  }

  private static boolean all(List<Object> values, Class<?> type) {
    return values.stream().allMatch(type::isInstance);
  }

  private static boolean exact(List<Object> values) {
    return values.stream().allMatch(v -> v instanceof Long || v instanceof BigDecimal);
  }

  private static final class Longs extends Values {
    private final long[] values;

    Longs(int column, java.util.stream.LongStream values) {
      this(column, values.sorted().toArray());
    }

    private Longs(int column, long[] values) {
      super(column, values.length);
      this.values = values;
    }

    @Override
    int compare(BufferedRow row, int index) {
      return Long.compare(row.longValue(column), values[index]);
    }
  }

  private static final class Doubles extends Values {
    private final double[] values;

    Doubles(int column, java.util.stream.DoubleStream values) {
      this(column, values.map(v -> v == 0 ? 0.0 : v).sorted().toArray());
    }

    private Doubles(int column, double[] values) {
      super(column, values.length);
      this.values = values;
    }

    @Override
    int compare(BufferedRow row, int index) {
      double cell = row.doubleValue(column);
      // Not Double.compare, for which -0.0 is less than 0.0.
      return cell < values[index] ? -1 : cell > values[index] ? 1 : 0;
    }

    @Override
    boolean isUnordered(BufferedRow row) {
      return Double.isNaN(row.doubleValue(column));
    }
  }

  /** Exact numbers, for a column of decimals or integers. */
  private static final class Decimals extends Values {
    private final BigDecimal[] values;
    private final int scale;
    private final boolean integers;

    Decimals(int column, List<Object> values, int scale, boolean integers) {
      super(column, values.size());
      this.values =
          values.stream()
              .map(v -> v instanceof Long whole ? BigDecimal.valueOf(whole) : (BigDecimal) v)
              .sorted()
              .toArray(BigDecimal[]::new);
      this.scale = scale;
      this.integers = integers;
    }

    @Override
    int compare(BufferedRow row, int index) {
      BigDecimal cell =
          integers
              ? BigDecimal.valueOf(row.longValue(column))
              : new BigDecimal(
                  new BigInteger(row.bytes(), row.offset(column), row.length(column)), scale);
      return cell.compareTo(values[index]);
    }
  }

  /** Texts in the order of their UTF-8, which is that of the code points. */
  private static final class Texts extends Values {
    private final byte[][] values;

    Texts(int column, List<Object> values, boolean withoutTrailingSpaces) {
      super(column, values.size());
      this.values =
          values.stream()
              .map(v -> withoutTrailingSpaces ? stripped((String) v) : (String) v)
              .map(v -> v.getBytes(StandardCharsets.UTF_8))
              .sorted(Arrays::compareUnsigned)
              .toArray(byte[][]::new);
    }

    private static String stripped(String text) {
      int end = text.length();
      while (end > 0 && text.charAt(end - 1) == ' ') {
        end--;
      }
      return text.substring(0, end);
    }

    @Override
    int compare(BufferedRow row, int index) {
      int from = row.offset(column);
      byte[] value = values[index];
      return Arrays.compareUnsigned(
          row.bytes(), from, from + row.length(column), value, 0, value.length);
    }
  }

  private static final class Timestamps extends Values {
    private final LocalDateTime[] values;

    Timestamps(int column, List<Object> values) {
      super(column, values.size());
      this.values =
          values.stream().map(LocalDateTime.class::cast).sorted().toArray(LocalDateTime[]::new);
    }

    @Override
    int compare(BufferedRow row, int index) {
      int seconds =
          Long.compare(row.longValue(column), values[index].toEpochSecond(ZoneOffset.UTC));
      return seconds != 0 ? seconds : Integer.compare(row.nano(column), values[index].getNano());
    }
  }
}
