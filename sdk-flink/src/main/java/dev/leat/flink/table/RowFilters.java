package dev.leat.flink.table;

import dev.leat.RowFilter;
import dev.leat.RowFilter.Operator;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.table.expressions.CallExpression;
import org.apache.flink.table.expressions.FieldReferenceExpression;
import org.apache.flink.table.expressions.ResolvedExpression;
import org.apache.flink.table.expressions.ValueLiteralExpression;
import org.apache.flink.table.functions.BuiltInFunctionDefinitions;
import org.apache.flink.table.functions.FunctionDefinition;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeFamily;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.TimestampType;

/**
 * Says in terms of the index what a query demands of rows, as far as both mean exactly the same: no
 * row may be left out for which Flink would find the condition true.
 */
final class RowFilters {
  private static final int NANOSECONDS = 9;

  private static final Map<FunctionDefinition, Operator> OPERATORS =
      Map.of(
          BuiltInFunctionDefinitions.EQUALS, Operator.EQUAL,
          BuiltInFunctionDefinitions.NOT_EQUALS, Operator.NOT_EQUAL,
          BuiltInFunctionDefinitions.LESS_THAN, Operator.LESS,
          BuiltInFunctionDefinitions.LESS_THAN_OR_EQUAL, Operator.LESS_OR_EQUAL,
          BuiltInFunctionDefinitions.GREATER_THAN, Operator.GREATER,
          BuiltInFunctionDefinitions.GREATER_THAN_OR_EQUAL, Operator.GREATER_OR_EQUAL);

  private static final Map<Operator, Operator> MIRRORED =
      Map.of(
          Operator.EQUAL, Operator.EQUAL,
          Operator.NOT_EQUAL, Operator.NOT_EQUAL,
          Operator.LESS, Operator.GREATER,
          Operator.LESS_OR_EQUAL, Operator.GREATER_OR_EQUAL,
          Operator.GREATER, Operator.LESS,
          Operator.GREATER_OR_EQUAL, Operator.LESS_OR_EQUAL);

  private final Map<String, LogicalType> types = new HashMap<>();

  /** Filters over the columns of a table. */
  RowFilters(TableDefinition table) {
    for (int i = 0; i < table.columns().size(); i++) {
      types.put(table.columns().get(i).name(), table.types().get(i));
    }
  }

  /** The filter that means exactly what an expression does, if there is one. */
  Optional<RowFilter> of(ResolvedExpression expression) {
    if (expression instanceof FieldReferenceExpression field) {
      return booleanColumn(field).map(column -> column.equalTo(true));
    }
    if (!(expression instanceof CallExpression call)) {
      return Optional.empty();
    }
    FunctionDefinition function = call.getFunctionDefinition();
    List<ResolvedExpression> arguments = call.getResolvedChildren();
    if (function == BuiltInFunctionDefinitions.AND) {
      return all(arguments).map(RowFilter::allOf);
    }
    if (function == BuiltInFunctionDefinitions.OR) {
      return all(arguments).map(RowFilter::anyOf);
    }
    if (function == BuiltInFunctionDefinitions.NOT) {
      return of(arguments.get(0)).map(RowFilter::negated);
    }
    if (function == BuiltInFunctionDefinitions.IS_NULL) {
      return column(arguments.get(0)).map(RowFilter.ColumnStage::isNull);
    }
    if (function == BuiltInFunctionDefinitions.IS_NOT_NULL) {
      return column(arguments.get(0)).map(RowFilter.ColumnStage::isNotNull);
    }
    if (function == BuiltInFunctionDefinitions.IN) {
      return in(arguments);
    }
    if (function == BuiltInFunctionDefinitions.BETWEEN) {
      return between(arguments);
    }
    Operator operator = OPERATORS.get(function);
    if (operator == null) {
      return Optional.empty();
    }
    ResolvedExpression left = arguments.get(0);
    ResolvedExpression right = arguments.get(1);
    return left instanceof ValueLiteralExpression
        ? compared(right, MIRRORED.getOrDefault(operator, operator), left)
        : compared(left, operator, right);
  }

  private Optional<List<RowFilter>> all(List<ResolvedExpression> expressions) {
    List<RowFilter> filters = new ArrayList<>();
    for (ResolvedExpression expression : expressions) {
      Optional<RowFilter> filter = of(expression);
      if (filter.isEmpty()) {
        return Optional.empty();
      }
      filters.add(filter.get());
    }
    return Optional.of(filters);
  }

  private Optional<RowFilter> in(List<ResolvedExpression> arguments) {
    List<Object> values = new ArrayList<>();
    for (ResolvedExpression argument : arguments.subList(1, arguments.size())) {
      Optional<Object> value = value(arguments.get(0), argument);
      if (value.isEmpty()) {
        return Optional.empty();
      }
      values.add(value.get());
    }
    return column(arguments.get(0)).map(column -> column.in(values));
  }

  private Optional<RowFilter> between(List<ResolvedExpression> arguments) {
    Optional<RowFilter> low =
        compared(arguments.get(0), Operator.GREATER_OR_EQUAL, arguments.get(1));
    Optional<RowFilter> high = compared(arguments.get(0), Operator.LESS_OR_EQUAL, arguments.get(2));
    return low.flatMap(least -> high.map(least::and));
  }

  private Optional<RowFilter> compared(
      ResolvedExpression field, Operator operator, ResolvedExpression literal) {
    return value(field, literal)
        .flatMap(value -> column(field).map(column -> column.compared(operator, value)));
  }

  private Optional<RowFilter.ColumnStage> column(ResolvedExpression expression) {
    return expression instanceof FieldReferenceExpression field
            && types.containsKey(field.getName())
        ? Optional.of(RowFilter.column(field.getName()))
        : Optional.empty();
  }

  private Optional<RowFilter.ColumnStage> booleanColumn(FieldReferenceExpression field) {
    LogicalType type = types.get(field.getName());
    return type != null && type.is(LogicalTypeRoot.BOOLEAN) ? column(field) : Optional.empty();
  }

  /** The literal, if comparing the column with it means the same in Flink and in the index. */
  private Optional<Object> value(ResolvedExpression field, ResolvedExpression expression) {
    if (!(field instanceof FieldReferenceExpression reference)
        || !(expression instanceof ValueLiteralExpression literal)
        || literal.isNull()) {
      return Optional.empty();
    }
    LogicalType column = types.get(reference.getName());
    LogicalType type = literal.getOutputDataType().getLogicalType();
    if (column == null) {
      return Optional.empty();
    }
    return switch (column.getTypeRoot()) {
      case BOOLEAN -> valueIf(type.is(LogicalTypeRoot.BOOLEAN), literal, Boolean.class);
      // Flink compares these with a DOUBLE as doubles, the index exactly.
      case TINYINT, SMALLINT, INTEGER, BIGINT, DECIMAL ->
          valueIf(type.is(LogicalTypeFamily.EXACT_NUMERIC), literal, BigDecimal.class);
      // With a DECIMAL, Flink orders NaN above all and -0 below 0; the index as Java's operators.
      case FLOAT, DOUBLE ->
          valueIf(
                  type.is(LogicalTypeFamily.APPROXIMATE_NUMERIC)
                      || type.is(LogicalTypeFamily.INTEGER_NUMERIC),
                  literal,
                  Double.class)
              .filter(number -> !((Double) number).isNaN());
      // Not CHAR, which is padded in Flink.
      case VARCHAR -> valueIf(type.is(LogicalTypeFamily.CHARACTER_STRING), literal, String.class);
      case DATE -> valueIf(type.is(LogicalTypeRoot.DATE), literal, LocalDate.class);
      // Of a coarser one Flink sees fewer digits than the file has.
      case TIMESTAMP_WITHOUT_TIME_ZONE ->
          valueIf(
              type.is(LogicalTypeRoot.TIMESTAMP_WITHOUT_TIME_ZONE)
                  && ((TimestampType) column).getPrecision() == NANOSECONDS,
              literal,
              LocalDateTime.class);
      default -> Optional.empty();
    };
  }

  private static <T> Optional<Object> valueIf(
      boolean same, ValueLiteralExpression literal, Class<T> type) {
    return same ? literal.getValueAs(type).map(value -> (Object) value) : Optional.empty();
  }
}
