package dev.leat.internal.schema;

import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Optional;

/**
 * A part of a row or key that holds the value of one column.
 *
 * @param name as the target has it, e.g. {@code customerId}
 * @param type the Java type that it holds; may be wider than the column's: {@code long} for an INT,
 *     {@code double} for a FLOAT. Of a nested column a {@code List}, a {@code Map}, a record or a
 *     {@link dev.leat.DimensionRow}, with its type arguments
 * @param column the number of the column in {@link TableSchema#columns()}
 * @param writer how a POJO takes the value: a {@link Method} with one parameter or a {@link Field},
 *     not made accessible yet; empty for a record's component and a scalar key
 */
public record TargetComponent(String name, Type type, int column, Optional<Member> writer) {}
