package dev.leat.it.filter;

import dev.leat.RowFilter;
import dev.leat.RowFilter.Operator;
import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Rows and filters whose values are few, so that they often meet. */
final class RandomFilters {
  static final List<Column> COLUMNS =
      List.of(
          new Column("id", ColumnType.INT),
          new Column("flag", ColumnType.BOOLEAN),
          new Column("tiny", ColumnType.TINYINT),
          new Column("big", ColumnType.BIGINT),
          new Column("real", ColumnType.FLOAT),
          new Column("wide", ColumnType.DOUBLE),
          new Column("money", ColumnType.decimal(10, 2)),
          new Column("huge", ColumnType.decimal(38, 4)),
          new Column("word", ColumnType.STRING),
          new Column("short", ColumnType.varchar(3)),
          new Column("day", ColumnType.DATE),
          new Column("at", ColumnType.TIMESTAMP),
          new Column("part", ColumnType.INT));

  private static final List<String> WORDS =
      List.of("", "a", "A", "ab", "b", "Zürich", "z", "\uff5e", "\ud83d\ude00", "it's", "x y");

  private final Random random;

  RandomFilters(long seed) {
    random = new Random(seed);
  }

  /** A value of a column, or null. */
  @Nullable Object cell(Column column) {
    return random.nextInt(5) == 0 ? null : value(column);
  }

  private Object value(Column column) {
    return switch (column.type().kind()) {
      case BOOLEAN -> random.nextBoolean();
      case TINYINT, INT -> random.nextInt(9) - 4;
      case BIGINT -> (random.nextBoolean() ? 1L << 53 : 0) + random.nextInt(5) - 2;
      case FLOAT -> List.of(-1.5f, -0.0f, 0.0f, 0.1f, 0.5f, 3e30f).get(random.nextInt(6));
      case DOUBLE ->
          List.of(-1.5, -0.0, 0.0, 0.1, 0.5, 3e300, Double.NEGATIVE_INFINITY)
              .get(random.nextInt(7));
      case DECIMAL ->
          column.type().precision() > 18
              ? new BigDecimal(BigInteger.TEN.pow(random.nextInt(30)), 4)
                  .multiply(BigDecimal.valueOf(random.nextInt(3) - 1L))
              : BigDecimal.valueOf(random.nextInt(9) * 50 - 200L, 2);
      case DATE -> LocalDate.of(2024, 2, 27).plusDays(random.nextInt(5));
      case TIMESTAMP ->
          LocalDateTime.of(2024, 2, 29, 23, 59, 58).plusNanos(random.nextInt(5) * 500_000_000L);
      case VARCHAR ->
          WORDS
              .get(random.nextInt(WORDS.size() - 2))
              .codePoints()
              .limit(3)
              .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
              .toString();
      default -> WORDS.get(random.nextInt(WORDS.size()));
    };
  }

  /** A value that may stand in a comparison: also one that is not of the column's own type. */
  private Object literal(Column column) {
    Object value = value(column);
    return switch (column.type().kind()) {
      case TINYINT, INT, BIGINT ->
          random.nextInt(4) == 0
              ? new BigDecimal(value.toString()).add(new BigDecimal("0.5"))
              : ((Number) value).longValue();
      case DECIMAL -> random.nextInt(4) == 0 ? (Object) (long) random.nextInt(3) : value;
      case DOUBLE -> random.nextInt(4) == 0 ? (Object) (long) random.nextInt(2) : value;
      default -> value;
    };
  }

  RowFilter filter(int depth) {
    int kind = depth == 0 ? 0 : random.nextInt(5);
    return switch (kind) {
      case 1 -> RowFilter.allOf(filters(depth - 1));
      case 2 -> RowFilter.anyOf(filters(depth - 1));
      case 3 -> filter(depth - 1).negated();
      default -> leaf();
    };
  }

  private List<RowFilter> filters(int depth) {
    List<RowFilter> filters = new ArrayList<>();
    for (int i = 0; i < 2 + random.nextInt(2); i++) {
      filters.add(filter(depth));
    }
    return filters;
  }

  private RowFilter leaf() {
    Column column = COLUMNS.get(1 + random.nextInt(COLUMNS.size() - 1));
    RowFilter.ColumnStage stage = RowFilter.column(column.name());
    return switch (random.nextInt(6)) {
      case 0 -> stage.isNull();
      case 1 -> stage.isNotNull();
      case 2 -> {
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < 1 + random.nextInt(4); i++) {
          values.add(value(column));
        }
        yield stage.in(values);
      }
      default ->
          stage.compared(
              Operator.values()[random.nextInt(Operator.values().length)], literal(column));
    };
  }

  /** A filter as DuckDB writes it, without a word of the filter's own text. */
  static String sql(RowFilter filter) {
    if (filter instanceof RowFilter.Comparison comparison) {
      String operator =
          switch (comparison.operator()) {
            case EQUAL -> "=";
            case NOT_EQUAL -> "!=";
            case LESS -> "<";
            case LESS_OR_EQUAL -> "<=";
            case GREATER -> ">";
            case GREATER_OR_EQUAL -> ">=";
          };
      return quoted(comparison.column()) + " " + operator + " " + sqlLiteral(comparison.value());
    }
    if (filter instanceof RowFilter.In in) {
      return quoted(in.column())
          + " IN ("
          + in.values().stream().map(RandomFilters::sqlLiteral).collect(Collectors.joining(","))
          + ")";
    }
    if (filter instanceof RowFilter.IsNull isNull) {
      return quoted(isNull.column()) + " IS NULL";
    }
    if (filter instanceof RowFilter.Not not) {
      return "(NOT " + sql(not.filter()) + ")";
    }
    if (filter instanceof RowFilter.And and) {
      return and.filters().stream()
          .map(RandomFilters::sql)
          .collect(Collectors.joining(" AND ", "(", ")"));
    }
    return ((RowFilter.Or) filter)
        .filters().stream().map(RandomFilters::sql).collect(Collectors.joining(" OR ", "(", ")"));
  }

  private static String quoted(String name) {
    return '"' + name + '"';
  }

  static String sqlLiteral(@Nullable Object value) {
    if (value == null) {
      return "NULL";
    }
    if (value instanceof String text) {
      return "'" + text.replace("'", "''") + "'";
    }
    if (value instanceof LocalDate) {
      return "CAST('" + value + "' AS DATE)";
    }
    if (value instanceof LocalDateTime) {
      return "CAST('" + value + "' AS TIMESTAMP)";
    }
    if (value instanceof Double || value instanceof Float) {
      String number = String.valueOf(value).replace("Infinity", "inf");
      // A FLOAT is compared as the double that equals it.
      return value instanceof Float
          ? "CAST(CAST('" + number + "' AS FLOAT) AS DOUBLE)"
          : "CAST('" + number + "' AS DOUBLE)";
    }
    if (value instanceof BigDecimal decimal) {
      return "CAST('" + decimal.toPlainString() + "' AS DECIMAL(38,4))";
    }
    return value.toString();
  }
}
