package dev.leat.it.text;

import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Types;
import org.jspecify.annotations.Nullable;

/** A Parquet file with a schema chosen from the forms in which other tools write each type. */
public final class ParquetFile {
  private final Random random;
  private final MessageType schema;

  public ParquetFile(Random random, List<Column> columns) {
    this.random = random;
    List<Type> fields = new ArrayList<>();
    for (Column column : columns) {
      fields.add(type(column.type(), column.name(), Type.Repetition.OPTIONAL));
    }
    schema = new MessageType("table", fields);
  }

  MessageType schema() {
    return schema;
  }

  private Type type(ColumnType type, String name, Type.Repetition repetition) {
    return switch (type.kind()) {
      case BOOLEAN -> Types.primitive(PrimitiveTypeName.BOOLEAN, repetition).named(name);
      case TINYINT ->
          Types.primitive(PrimitiveTypeName.INT32, repetition)
              .as(LogicalTypeAnnotation.intType(8))
              .named(name);
      case SMALLINT ->
          Types.primitive(PrimitiveTypeName.INT32, repetition)
              .as(LogicalTypeAnnotation.intType(16))
              .named(name);
      case INT -> Types.primitive(PrimitiveTypeName.INT32, repetition).named(name);
      case BIGINT -> Types.primitive(PrimitiveTypeName.INT64, repetition).named(name);
      case FLOAT -> Types.primitive(PrimitiveTypeName.FLOAT, repetition).named(name);
      case DOUBLE -> Types.primitive(PrimitiveTypeName.DOUBLE, repetition).named(name);
      case DECIMAL -> decimal(type, name, repetition);
      case STRING, CHAR, VARCHAR ->
          Types.primitive(PrimitiveTypeName.BINARY, repetition)
              .as(LogicalTypeAnnotation.stringType())
              .named(name);
      case BINARY -> Types.primitive(PrimitiveTypeName.BINARY, repetition).named(name);
      case DATE ->
          Types.primitive(PrimitiveTypeName.INT32, repetition)
              .as(LogicalTypeAnnotation.dateType())
              .named(name);
      case TIMESTAMP ->
          random.nextInt(3) == 0
              ? Types.primitive(PrimitiveTypeName.INT96, repetition).named(name)
              : Types.primitive(PrimitiveTypeName.INT64, repetition)
                  .as(
                      LogicalTypeAnnotation.timestampType(
                          random.nextBoolean(),
                          random.nextBoolean() ? TimeUnit.MICROS : TimeUnit.NANOS))
                  .named(name);
      case ARRAY ->
          Types.buildGroup(repetition)
              .as(LogicalTypeAnnotation.listType())
              .addField(
                  new GroupType(
                      Type.Repetition.REPEATED,
                      random.nextBoolean() ? "list" : "bag",
                      type(type.element(), "array_element", Type.Repetition.OPTIONAL)))
              .named(name);
      case MAP ->
          Types.buildGroup(repetition)
              .as(LogicalTypeAnnotation.mapType())
              .addField(
                  new GroupType(
                      Type.Repetition.REPEATED,
                      "key_value",
                      type(type.key(), "key", Type.Repetition.REQUIRED),
                      type(type.value(), "value", Type.Repetition.OPTIONAL)))
              .named(name);
      case STRUCT -> {
        List<Type> fields = new ArrayList<>();
        for (Column field : type.fields()) {
          fields.add(type(field.type(), field.name(), Type.Repetition.OPTIONAL));
        }
        yield new GroupType(repetition, name, fields);
      }
    };
  }

  private Type decimal(ColumnType type, String name, Type.Repetition repetition) {
    LogicalTypeAnnotation logical =
        LogicalTypeAnnotation.decimalType(type.scale(), type.precision());
    return switch (random.nextInt(3)) {
      case 0 -> {
        if (type.precision() <= 18) {
          yield Types.primitive(
                  type.precision() <= 9 ? PrimitiveTypeName.INT32 : PrimitiveTypeName.INT64,
                  repetition)
              .as(logical)
              .named(name);
        }
        yield Types.primitive(PrimitiveTypeName.BINARY, repetition).as(logical).named(name);
      }
      case 1 ->
          Types.primitive(PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY, repetition)
              .length(16)
              .as(logical)
              .named(name);
      default -> Types.primitive(PrimitiveTypeName.BINARY, repetition).as(logical).named(name);
    };
  }

  public void write(
      Path path, List<Column> columns, List<@Nullable Object[]> rows, Map<String, String> extra)
      throws IOException {
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new LocalOutputFile(path))
            .withType(schema)
            .withExtraMetaData(extra)
            .withRowGroupSize(8L * 1024)
            .withMinRowCountForPageSizeCheck(20)
            .withPageSize(1024)
            .build()) {
      for (@Nullable Object[] row : rows) {
        Group group = new SimpleGroup(schema);
        for (int i = 0; i < row.length; i++) {
          add(group, i, schema.getType(i), columns.get(i).type(), row[i]);
        }
        writer.write(group);
      }
    }
  }

  private static void add(
      Group group, int field, Type fieldType, ColumnType type, @Nullable Object value) {
    if (value == null) {
      return;
    }
    switch (type.kind()) {
      case BOOLEAN -> group.add(field, (boolean) (Boolean) value);
      case TINYINT, SMALLINT, INT -> group.add(field, ((Number) value).intValue());
      case BIGINT -> group.add(field, ((Number) value).longValue());
      case FLOAT -> group.add(field, (float) (Float) value);
      case DOUBLE -> group.add(field, (double) (Double) value);
      case DECIMAL -> addDecimal(group, field, fieldType, (BigDecimal) value);
      case STRING, CHAR, VARCHAR -> group.add(field, (String) value);
      case BINARY -> group.add(field, Binary.fromConstantByteArray((byte[]) value));
      case DATE -> group.add(field, (int) ((LocalDate) value).toEpochDay());
      case TIMESTAMP -> addTimestamp(group, field, fieldType, (LocalDateTime) value);
      case ARRAY -> {
        Group list = group.addGroup(field);
        for (Object element : (List<?>) value) {
          Group one = list.addGroup(0);
          add(
              one,
              0,
              fieldType.asGroupType().getType(0).asGroupType().getType(0),
              type.element(),
              element);
        }
      }
      case MAP -> {
        Group map = group.addGroup(field);
        GroupType entryType = fieldType.asGroupType().getType(0).asGroupType();
        ((Map<?, ?>) value)
            .forEach(
                (key, entry) -> {
                  Group one = map.addGroup(0);
                  add(one, 0, entryType.getType(0), type.key(), key);
                  add(one, 1, entryType.getType(1), type.value(), entry);
                });
      }
      case STRUCT -> {
        Group struct = group.addGroup(field);
        List<?> parts = (List<?>) value;
        for (int i = 0; i < parts.size(); i++) {
          add(
              struct,
              i,
              fieldType.asGroupType().getType(i),
              type.fields().get(i).type(),
              parts.get(i));
        }
      }
    }
  }

  private static void addDecimal(Group group, int field, Type fieldType, BigDecimal value) {
    BigInteger unscaled = value.unscaledValue();
    switch (fieldType.asPrimitiveType().getPrimitiveTypeName()) {
      case INT32 -> group.add(field, unscaled.intValueExact());
      case INT64 -> group.add(field, unscaled.longValueExact());
      case FIXED_LEN_BYTE_ARRAY -> {
        byte[] bytes = new byte[16];
        Arrays.fill(bytes, (byte) (unscaled.signum() < 0 ? -1 : 0));
        byte[] small = unscaled.toByteArray();
        System.arraycopy(small, 0, bytes, 16 - small.length, small.length);
        group.add(field, Binary.fromConstantByteArray(bytes));
      }
      default -> group.add(field, Binary.fromConstantByteArray(unscaled.toByteArray()));
    }
  }

  private static void addTimestamp(Group group, int field, Type fieldType, LocalDateTime value) {
    long seconds = value.toEpochSecond(ZoneOffset.UTC);
    if (fieldType.asPrimitiveType().getPrimitiveTypeName() == PrimitiveTypeName.INT96) {
      long day = Math.floorDiv(seconds, 86_400L);
      ByteBuffer bytes = ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN);
      bytes.putLong(Math.floorMod(seconds, 86_400L) * 1_000_000_000L + value.getNano());
      bytes.putInt((int) (day + 2_440_588));
      group.add(field, Binary.fromConstantByteArray(bytes.array()));
      return;
    }
    boolean nanos =
        ((LogicalTypeAnnotation.TimestampLogicalTypeAnnotation)
                    fieldType.getLogicalTypeAnnotation())
                .getUnit()
            == TimeUnit.NANOS;
    group.add(
        field,
        nanos
            ? seconds * 1_000_000_000L + value.getNano()
            : seconds * 1_000_000L + value.getNano() / 1_000);
  }
}
