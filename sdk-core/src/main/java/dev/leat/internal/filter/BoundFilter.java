package dev.leat.internal.filter;

import dev.leat.RowFilter;
import dev.leat.RowFilter.Operator;
import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/**
 * A {@link RowFilter} whose columns are numbers in a {@link BufferedRow}. Immutable and
 * thread-safe.
 *
 * <p>One evaluation serves rows and partitions: a condition gives the set of truth values that it
 * may have. For a row, of which every cell is known, that is one; for a partition, of which only
 * the partition's columns are known, a condition on another column may have any.
 */
public final class BoundFilter {
  private final Node root;
  private final Set<Integer> numbers;

  /** A condition that says which truth values it may have for a row. */
  private interface Node {
    int outcomes(BufferedRow row);
  }

  private BoundFilter(Node root, Set<Integer> numbers) {
    this.root = root;
    this.numbers = Set.copyOf(numbers);
  }

  /**
   * Finds the columns of a filter.
   *
   * @param columns the columns of the rows
   * @param numberOf gives the number of the column that a name of the filter means
   * @throws IllegalArgumentException where a value cannot be compared with its column
   */
  public static BoundFilter bind(
      RowFilter filter, List<Column> columns, ToIntFunction<String> numberOf) {
    Set<Integer> numbers =
        filter.columns().stream()
            .map(name -> numberOf.applyAsInt(name))
            .collect(Collectors.toSet());
    return new BoundFilter(node(filter, columns, numberOf), numbers);
  }

  /**
   * The type of a column for which nothing but the filter says one: the one of the values that it
   * is compared with, or text where they do not agree or there is none.
   */
  public static ColumnType typeFor(RowFilter filter, String column) {
    List<Object> values = new ArrayList<>();
    collect(filter, column, values);
    if (values.isEmpty()) {
      return ColumnType.STRING;
    }
    if (values.stream().allMatch(Long.class::isInstance)) {
      return ColumnType.BIGINT;
    }
    if (values.stream().allMatch(v -> v instanceof Long || v instanceof BigDecimal)) {
      return ColumnType.decimal(38, 18);
    }
    if (values.stream().allMatch(Number.class::isInstance)) {
      return ColumnType.DOUBLE;
    }
    Class<?> type = values.get(0).getClass();
    if (!values.stream().allMatch(type::isInstance)) {
      return ColumnType.STRING;
    }
    return type == Boolean.class
        ? ColumnType.BOOLEAN
        : type == LocalDate.class
            ? ColumnType.DATE
            : type == LocalDateTime.class ? ColumnType.TIMESTAMP : ColumnType.STRING;
  }

  private static void collect(RowFilter filter, String column, List<Object> values) {
    if (filter instanceof RowFilter.Comparison comparison) {
      if (comparison.column().equals(column)) {
        values.add(comparison.value());
      }
    } else if (filter instanceof RowFilter.In in) {
      if (in.column().equals(column)) {
        values.addAll(in.values());
      }
    } else if (filter instanceof RowFilter.Not not) {
      collect(not.filter(), column, values);
    } else if (filter instanceof RowFilter.And and) {
      and.filters().forEach(inner -> collect(inner, column, values));
    } else if (filter instanceof RowFilter.Or or) {
      or.filters().forEach(inner -> collect(inner, column, values));
    }
  }

  /** Whether the filter is true for a row of which all cells are known. */
  public boolean matches(BufferedRow row) {
    return root.outcomes(row) == Outcome.TRUE;
  }

  /** Whether the filter looks at a column. */
  public boolean asksFor(int column) {
    return numbers.contains(column);
  }

  /** Whether the filter can be true for a row of which some cells are not known. */
  public boolean mayMatch(BufferedRow row) {
    return (root.outcomes(row) & Outcome.TRUE) != 0;
  }

  private static Node node(RowFilter filter, List<Column> columns, ToIntFunction<String> numberOf) {
    if (filter instanceof RowFilter.Comparison comparison) {
      Values value = values(comparison.column(), List.of(comparison.value()), columns, numberOf);
      return comparison(value, comparison.operator());
    }
    if (filter instanceof RowFilter.In in) {
      Values values = values(in.column(), in.values(), columns, numberOf);
      return row ->
          row.state(values.column) == BufferedRow.State.VALUE
              ? Outcome.of(!values.isUnordered(row) && values.contain(row))
              : withoutValue(row, values.column);
    }
    if (filter instanceof RowFilter.IsNull isNull) {
      int number = numberOf.applyAsInt(isNull.column());
      return row ->
          switch (row.state(number)) {
            case NULL, UNPARSABLE -> Outcome.TRUE;
            case VALUE -> Outcome.FALSE;
            case UNKNOWN -> Outcome.TRUE | Outcome.FALSE;
          };
    }
    if (filter instanceof RowFilter.Not not) {
      Node inner = node(not.filter(), columns, numberOf);
      return row -> Outcome.not(inner.outcomes(row));
    }
    if (filter instanceof RowFilter.And and) {
      Node[] inner = nodes(and.filters(), columns, numberOf);
      return row -> {
        int outcomes = Outcome.TRUE;
        for (int i = 0; i < inner.length && outcomes != Outcome.FALSE; i++) {
          outcomes = Outcome.and(outcomes, inner[i].outcomes(row));
        }
        return outcomes;
      };
    }
    if (filter instanceof RowFilter.Or or) {
      Node[] inner = nodes(or.filters(), columns, numberOf);
      return row -> {
        int outcomes = Outcome.FALSE;
        for (int i = 0; i < inner.length && outcomes != Outcome.TRUE; i++) {
          outcomes = Outcome.or(outcomes, inner[i].outcomes(row));
        }
        return outcomes;
      };
    }
    throw new IllegalStateException("there is no filter of " + filter.getClass());
  }

  private static Node[] nodes(
      List<RowFilter> filters, List<Column> columns, ToIntFunction<String> numberOf) {
    return filters.stream().map(inner -> node(inner, columns, numberOf)).toArray(Node[]::new);
  }

  private static Node comparison(Values value, Operator operator) {
    return row ->
        row.state(value.column) == BufferedRow.State.VALUE
            ? Outcome.of(holds(value, operator, row))
            : withoutValue(row, value.column);
  }

  private static boolean holds(Values value, Operator operator, BufferedRow row) {
    if (value.isUnordered(row)) {
      return operator == Operator.NOT_EQUAL;
    }
    int order = value.compare(row, 0);
    return switch (operator) {
      case EQUAL -> order == 0;
      case NOT_EQUAL -> order != 0;
      case LESS -> order < 0;
      case LESS_OR_EQUAL -> order <= 0;
      case GREATER -> order > 0;
      case GREATER_OR_EQUAL -> order >= 0;
    };
  }

  private static int withoutValue(BufferedRow row, int number) {
    return row.state(number) == BufferedRow.State.UNKNOWN ? Outcome.ANY : Outcome.UNKNOWN;
  }

  private static Values values(
      String name, List<Object> values, List<Column> columns, ToIntFunction<String> numberOf) {
    int number = numberOf.applyAsInt(name);
    Column column = columns.get(number);
    return Values.of(number, column, values)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "the filter compares column '"
                        + column.name()
                        + "' of type "
                        + column.type()
                        + " with "
                        + values
                        + " ("
                        + values.get(0).getClass().getSimpleName()
                        + "); give a value of the column's type"));
  }
}
