package dev.leat.it.text;

import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.jspecify.annotations.Nullable;

/** Writes Avro files with Avro's own library, with the schemas that Hive makes of its types. */
public final class AvroFiles {
  private int records;

  static Schema schema(List<Column> columns) {
    return new AvroFiles().record(columns);
  }

  private Schema record(List<Column> columns) {
    List<Schema.Field> fields = new ArrayList<>();
    String name = "record" + records++;
    for (Column column : columns) {
      Schema nullable = Schema.createUnion(Schema.create(Schema.Type.NULL), of(column.type()));
      fields.add(new Schema.Field(column.name(), nullable, null, Schema.Field.NULL_DEFAULT_VALUE));
    }
    return Schema.createRecord(name, null, "test", false, fields);
  }

  private Schema of(ColumnType type) {
    return switch (type.kind()) {
      case BOOLEAN -> Schema.create(Schema.Type.BOOLEAN);
      case TINYINT, SMALLINT, INT -> Schema.create(Schema.Type.INT);
      case BIGINT -> Schema.create(Schema.Type.LONG);
      case FLOAT -> Schema.create(Schema.Type.FLOAT);
      case DOUBLE -> Schema.create(Schema.Type.DOUBLE);
      case STRING -> Schema.create(Schema.Type.STRING);
      case CHAR, VARCHAR -> {
        Schema text = Schema.create(Schema.Type.STRING);
        text.addProp("logicalType", type.kind() == ColumnType.Kind.CHAR ? "char" : "varchar");
        text.addProp("maxLength", type.precision());
        yield text;
      }
      case BINARY -> Schema.create(Schema.Type.BYTES);
      case DECIMAL ->
          LogicalTypes.decimal(type.precision(), type.scale())
              .addToSchema(Schema.create(Schema.Type.BYTES));
      case DATE -> LogicalTypes.date().addToSchema(Schema.create(Schema.Type.INT));
      case TIMESTAMP -> LogicalTypes.timestampMillis().addToSchema(Schema.create(Schema.Type.LONG));
      case ARRAY -> Schema.createArray(nullable(type.element()));
      case MAP -> Schema.createMap(nullable(type.value()));
      case STRUCT -> record(type.fields());
    };
  }

  private Schema nullable(ColumnType type) {
    return Schema.createUnion(Schema.create(Schema.Type.NULL), of(type));
  }

  public static void write(
      Path path,
      List<Column> columns,
      List<@Nullable Object[]> rows,
      CodecFactory codec,
      Map<String, String> extra)
      throws IOException {
    Schema schema = schema(columns);
    try (DataFileWriter<GenericRecord> writer =
        new DataFileWriter<>(new GenericDatumWriter<>(schema))) {
      writer.setCodec(codec).setSyncInterval(2_000);
      extra.forEach(writer::setMeta);
      writer.create(schema, path.toFile());
      for (@Nullable Object[] row : rows) {
        GenericRecord record = new GenericData.Record(schema);
        for (int i = 0; i < row.length; i++) {
          record.put(i, value(columns.get(i).type(), branch(schema, i), row[i]));
        }
        writer.append(record);
      }
    }
  }

  private static Schema branch(Schema record, int field) {
    return record.getFields().get(field).schema().getTypes().get(1);
  }

  private static @Nullable Object value(ColumnType type, Schema schema, @Nullable Object value) {
    if (value == null) {
      return null;
    }
    return switch (type.kind()) {
      case TINYINT, SMALLINT, INT -> ((Number) value).intValue();
      case BINARY -> ByteBuffer.wrap((byte[]) value);
      case DECIMAL -> ByteBuffer.wrap(((BigDecimal) value).unscaledValue().toByteArray());
      case DATE -> (int) ((LocalDate) value).toEpochDay();
      case TIMESTAMP -> ((LocalDateTime) value).toInstant(ZoneOffset.UTC).toEpochMilli();
      case ARRAY -> {
        List<@Nullable Object> elements = new ArrayList<>();
        for (Object element : (List<?>) value) {
          elements.add(value(type.element(), schema.getElementType().getTypes().get(1), element));
        }
        yield elements;
      }
      case MAP -> {
        Map<String, @Nullable Object> entries = new HashMap<>();
        ((Map<?, ?>) value)
            .forEach(
                (key, entry) ->
                    entries.put(
                        (String) key,
                        value(type.value(), schema.getValueType().getTypes().get(1), entry)));
        yield entries;
      }
      case STRUCT -> {
        GenericRecord record = new GenericData.Record(schema);
        for (int i = 0; i < type.fields().size(); i++) {
          record.put(
              i, value(type.fields().get(i).type(), branch(schema, i), ((List<?>) value).get(i)));
        }
        yield record;
      }
      default -> value;
    };
  }
}
