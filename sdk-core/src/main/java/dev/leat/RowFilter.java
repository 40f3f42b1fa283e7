package dev.leat;

import static java.util.Objects.requireNonNull;

import java.io.Serializable;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A condition on the columns of a row, as after SQL's {@code WHERE}: a row is kept where it is
 * true, and not where it is false or, because of a NULL, unknown.
 *
 * <pre>{@code
 * RowFilter.column("country").in("DE", "FR").and(RowFilter.column("closed").isNull())
 * }</pre>
 *
 * <p>A value that is compared is a Boolean, an integer of any width, a Float, Double, {@link
 * BigDecimal}, String, {@link LocalDate} or {@link LocalDateTime}, and must fit the column: numbers
 * with numbers (a FLOAT or DOUBLE column as doubles, all others exactly), text with text (in the
 * order of the characters' code points; trailing spaces of a CHAR do not count), a DATE with a
 * date. A NaN is equal to nothing and neither less nor greater. Columns of other types can be asked
 * for NULL only.
 *
 * <p>Immutable, with value equality. Its text is SQL, the same for equal filters in all processes;
 * it is part of what identifies a version of a dimension.
 */
public sealed interface RowFilter extends Serializable {

  /** How a column is compared with a value. */
  enum Operator {
    /** {@code =}. */
    EQUAL("="),
    /** {@code <>}. */
    NOT_EQUAL("<>"),
    /** {@code <}. */
    LESS("<"),
    /** {@code <=}. */
    LESS_OR_EQUAL("<="),
    /** {@code >}. */
    GREATER(">"),
    /** {@code >=}. */
    GREATER_OR_EQUAL(">=");

    private final String symbol;

    Operator(String symbol) {
      this.symbol = symbol;
    }

    /** The operator as SQL writes it. */
    public String symbol() {
      return symbol;
    }
  }

  /** Begins a condition on a column, which is found by name as the columns of a row are. */
  static ColumnStage column(String name) {
    requireNonNull(name, "name");
    if (name.isBlank()) {
      throw new IllegalArgumentException("a column's name must not be blank");
    }
    return new ColumnStage(name);
  }

  /** True where all of some filters are. */
  static RowFilter allOf(List<RowFilter> filters) {
    return filters.size() == 1 ? filters.get(0) : new And(filters);
  }

  /** True where one of some filters is. */
  static RowFilter anyOf(List<RowFilter> filters) {
    return filters.size() == 1 ? filters.get(0) : new Or(filters);
  }

  /** True where this one and another are. */
  default RowFilter and(RowFilter other) {
    return new And(List.of(this, requireNonNull(other, "other")));
  }

  /** True where this one or another is. */
  default RowFilter or(RowFilter other) {
    return new Or(List.of(this, requireNonNull(other, "other")));
  }

  /** True where this one is false; where it is unknown, so is the result. */
  default RowFilter negated() {
    return new Not(this);
  }

  /** The names of the columns that it asks for, sorted. */
  default Set<String> columns() {
    Set<String> names = new TreeSet<>();
    RowFilterTerms.collect(this, names);
    return names;
  }

  /** A column about which something is to be said. */
  final class ColumnStage {
    private final String name;

    private ColumnStage(String name) {
      this.name = name;
    }

    /** Unknown where the column is NULL. */
    public RowFilter equalTo(Object value) {
      return compared(Operator.EQUAL, value);
    }

    /** Unknown where the column is NULL. */
    public RowFilter notEqualTo(Object value) {
      return compared(Operator.NOT_EQUAL, value);
    }

    /** Unknown where the column is NULL. */
    public RowFilter lessThan(Object value) {
      return compared(Operator.LESS, value);
    }

    /** Unknown where the column is NULL. */
    public RowFilter atMost(Object value) {
      return compared(Operator.LESS_OR_EQUAL, value);
    }

    /** Unknown where the column is NULL. */
    public RowFilter greaterThan(Object value) {
      return compared(Operator.GREATER, value);
    }

    /** Unknown where the column is NULL. */
    public RowFilter atLeast(Object value) {
      return compared(Operator.GREATER_OR_EQUAL, value);
    }

    /** Unknown where the column is NULL. */
    public RowFilter compared(Operator operator, Object value) {
      return new Comparison(name, operator, value);
    }

    /** Whether the column is one of some values; unknown where it is NULL. */
    public RowFilter in(Object... values) {
      return in(Arrays.asList(values));
    }

    /** Whether the column is one of some values; unknown where it is NULL. */
    public RowFilter in(List<?> values) {
      return new In(name, List.copyOf(values));
    }

    /** Never unknown. */
    public RowFilter isNull() {
      return new IsNull(name);
    }

    /** Never unknown. */
    public RowFilter isNotNull() {
      return new Not(new IsNull(name));
    }
  }

  /**
   * A column compared with a value.
   *
   * @param column the column's name
   * @param operator how
   * @param value the value; an integer as a Long, a Float as a Double, a decimal without zeros at
   *     its end
   */
  record Comparison(String column, Operator operator, Object value) implements RowFilter {

    /** Checks the value and brings it to the one form of equal values. */
    public Comparison {
      requireNonNull(column, "column");
      requireNonNull(operator, "operator");
      value = RowFilterTerms.normalized(column, value);
    }

    @Override
    public String toString() {
      return RowFilterTerms.identifier(column)
          + " "
          + operator.symbol()
          + " "
          + RowFilterTerms.literal(value);
    }
  }

  /**
   * A column that is one of some values.
   *
   * @param column the column's name
   * @param values the values, at least one, each once, in the form that {@link Comparison} has
   */
  record In(String column, List<Object> values) implements RowFilter {

    /** Checks the values and brings them to the one form of equal values. */
    public In {
      requireNonNull(column, "column");
      if (requireNonNull(values, "values").isEmpty()) {
        throw new IllegalArgumentException(
            "nothing is in an empty list; give column '" + column + "' at least one value");
      }
      Set<Object> distinct = new LinkedHashSet<>();
      for (Object value : values) {
        distinct.add(RowFilterTerms.normalized(column, value));
      }
      values = List.copyOf(distinct);
    }

    @Override
    public String toString() {
      return RowFilterTerms.identifier(column)
          + values.stream()
              .map(RowFilterTerms::literal)
              .collect(Collectors.joining(", ", " IN (", ")"));
    }
  }

  /**
   * A column that is NULL.
   *
   * @param column the column's name
   */
  record IsNull(String column) implements RowFilter {

    /** Checks that there is a name. */
    public IsNull {
      requireNonNull(column, "column");
    }

    @Override
    public String toString() {
      return RowFilterTerms.identifier(column) + " IS NULL";
    }
  }

  /**
   * All of several filters.
   *
   * @param filters the filters, at least one; none of them an {@code And} itself
   */
  record And(List<RowFilter> filters) implements RowFilter {

    /** Takes the filters of inner ones into this one. */
    public And {
      List<RowFilter> flat = new ArrayList<>();
      for (RowFilter filter : RowFilterTerms.atLeastOne(filters)) {
        flat.addAll(filter instanceof And and ? and.filters : List.of(filter));
      }
      filters = List.copyOf(flat);
    }

    @Override
    public String toString() {
      return filters.stream().map(Object::toString).collect(Collectors.joining(" AND ", "(", ")"));
    }
  }

  /**
   * One of several filters.
   *
   * @param filters the filters, at least one; none of them an {@code Or} itself
   */
  record Or(List<RowFilter> filters) implements RowFilter {

    /** Takes the filters of inner ones into this one. */
    public Or {
      List<RowFilter> flat = new ArrayList<>();
      for (RowFilter filter : RowFilterTerms.atLeastOne(filters)) {
        flat.addAll(filter instanceof Or or ? or.filters : List.of(filter));
      }
      filters = List.copyOf(flat);
    }

    @Override
    public String toString() {
      return filters.stream().map(Object::toString).collect(Collectors.joining(" OR ", "(", ")"));
    }
  }

  /**
   * The contrary of a filter.
   *
   * @param filter the filter
   */
  record Not(RowFilter filter) implements RowFilter {

    /** Checks that there is a filter. */
    public Not {
      requireNonNull(filter, "filter");
    }

    @Override
    public String toString() {
      return filter instanceof IsNull isNull
          ? RowFilterTerms.identifier(isNull.column()) + " IS NOT NULL"
          : "NOT (" + filter + ")";
    }
  }
}
