package dev.leat;

import static java.util.Objects.requireNonNull;

import dev.leat.RowFilter.And;
import dev.leat.RowFilter.Comparison;
import dev.leat.RowFilter.In;
import dev.leat.RowFilter.IsNull;
import dev.leat.RowFilter.Not;
import dev.leat.RowFilter.Or;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** How {@link RowFilter}s write and normalize what they are made of. */
final class RowFilterTerms {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private RowFilterTerms() {}

  static List<RowFilter> atLeastOne(List<RowFilter> filters) {
    if (requireNonNull(filters, "filters").isEmpty()) {
      throw new IllegalArgumentException("there is no filter to join; give at least one");
    }
    return filters;
  }

  static Object normalized(String column, Object value) {
    requireNonNull(
        value,
        () ->
            "column '"
                + column
                + "' is compared with null, which is never true; use isNull() or isNotNull()");
    if (value instanceof Byte || value instanceof Short || value instanceof Integer) {
      return ((Number) value).longValue();
    }
    if (value instanceof Float || value instanceof Double) {
      double number = ((Number) value).doubleValue();
      if (Double.isNaN(number)) {
        throw new IllegalArgumentException(
            "column '" + column + "' is compared with NaN, which is equal to nothing");
      }
      return number == 0 ? 0.0 : number;
    }
    if (value instanceof BigDecimal decimal) {
      return decimal.signum() == 0 ? BigDecimal.ZERO : decimal.stripTrailingZeros();
    }
    if (value instanceof Long
        || value instanceof Boolean
        || value instanceof String
        || value instanceof LocalDate
        || value instanceof LocalDateTime) {
      return value;
    }
    throw new IllegalArgumentException(
        "column '"
            + column
            + "' is compared with a "
            + value.getClass().getName()
            + "; use a Boolean, an integer, a Float, Double, BigDecimal, String, LocalDate or LocalDateTime");
  }

  static String identifier(String name) {
    return PLAIN.matcher(name).matches() ? name : '"' + name.replace("\"", "\"\"") + '"';
  }

  static String literal(Object value) {
    if (value instanceof String text) {
      return "'" + text.replace("'", "''") + "'";
    }
    if (value instanceof LocalDate) {
      return "DATE '" + value + "'";
    }
    if (value instanceof LocalDateTime) {
      return "TIMESTAMP '" + value.toString().replace('T', ' ') + "'";
    }
    if (value instanceof Double) {
      return "DOUBLE '" + value + "'";
    }
    if (value instanceof BigDecimal decimal) {
      // Also of one that is whole, so that it does not look like an integer.
      return "DECIMAL '" + decimal + "'";
    }
    return value instanceof Boolean truth ? (truth ? "TRUE" : "FALSE") : value.toString();
  }

  static void collect(RowFilter filter, Set<String> names) {
    if (filter instanceof Comparison comparison) {
      names.add(comparison.column());
    } else if (filter instanceof In in) {
      names.add(in.column());
    } else if (filter instanceof IsNull isNull) {
      names.add(isNull.column());
    } else if (filter instanceof Not not) {
      collect(not.filter(), names);
    } else if (filter instanceof And and) {
      and.filters().forEach(inner -> collect(inner, names));
    } else if (filter instanceof Or or) {
      or.filters().forEach(inner -> collect(inner, names));
    }
  }
}
