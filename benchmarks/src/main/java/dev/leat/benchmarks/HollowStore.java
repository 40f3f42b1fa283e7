package dev.leat.benchmarks;

import static java.util.Objects.requireNonNull;

import com.netflix.hollow.core.index.HollowPrimaryKeyIndex;
import com.netflix.hollow.core.read.engine.HollowBlobReader;
import com.netflix.hollow.core.read.engine.HollowReadStateEngine;
import com.netflix.hollow.core.read.engine.object.HollowObjectTypeReadState;
import com.netflix.hollow.core.schema.HollowObjectSchema;
import com.netflix.hollow.core.schema.HollowObjectSchema.FieldType;
import com.netflix.hollow.core.write.HollowBlobWriter;
import com.netflix.hollow.core.write.HollowObjectTypeWriteState;
import com.netflix.hollow.core.write.HollowObjectWriteRecord;
import com.netflix.hollow.core.write.HollowWriteStateEngine;
import dev.leat.format.Column;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Netflix Hollow with its primary key index, on the heap. The key is inlined; other texts are
 * references to a type of their own, so that equal ones are kept once, which is also what Hollow's
 * object mapper does.
 */
final class HollowStore<K, D> implements Store<K, D> {
  private static final String ROW = "Row";
  private static final String TEXT = "String";
  private static final String VALUE = "value";

  private final Dataset<K, D> dataset;
  private final Path directory;
  private @Nullable HollowReadStateEngine engine;
  private @Nullable HollowPrimaryKeyIndex index;

  HollowStore(Dataset<K, D> dataset, Path directory) {
    this.dataset = dataset;
    this.directory = directory;
  }

  private HollowObjectSchema schema() {
    HollowObjectSchema schema = new HollowObjectSchema(ROW, dataset.columns().size(), keyNames());
    for (int i = 0; i < dataset.columns().size(); i++) {
      Column column = dataset.columns().get(i);
      switch (column.type().kind()) {
        case STRING -> {
          if (dataset.keyColumns().contains(i)) {
            schema.addField(column.name(), FieldType.STRING);
          } else {
            schema.addField(column.name(), FieldType.REFERENCE, TEXT);
          }
        }
        case INT, DATE -> schema.addField(column.name(), FieldType.INT);
        default -> schema.addField(column.name(), FieldType.LONG);
      }
    }
    return schema;
  }

  private String[] keyNames() {
    return dataset.keyColumns().stream()
        .map(column -> dataset.columns().get(column).name())
        .toArray(String[]::new);
  }

  @Override
  public void load() throws IOException {
    Files.createDirectories(directory);
    Path snapshot = directory.resolve("snapshot");
    write(snapshot);
    HollowReadStateEngine read = new HollowReadStateEngine();
    try (InputStream in = new BufferedInputStream(Files.newInputStream(snapshot), 1 << 20)) {
      new HollowBlobReader(read).readSnapshot(in);
    }
    engine = read;
    index = new HollowPrimaryKeyIndex(read, ROW, keyNames());
  }

  private void write(Path snapshot) throws IOException {
    HollowWriteStateEngine write = new HollowWriteStateEngine();
    HollowObjectSchema textSchema = new HollowObjectSchema(TEXT, 1);
    textSchema.addField(VALUE, FieldType.STRING);
    write.addTypeState(new HollowObjectTypeWriteState(textSchema));
    HollowObjectSchema schema = schema();
    write.addTypeState(new HollowObjectTypeWriteState(schema));
    HollowObjectWriteRecord text = new HollowObjectWriteRecord(textSchema);
    HollowObjectWriteRecord record = new HollowObjectWriteRecord(schema);
    for (long row = 0; row < dataset.rows(); row++) {
      record.reset();
      for (int column = 0; column < dataset.columns().size(); column++) {
        String name = dataset.columns().get(column).name();
        Object cell = dataset.cell(row, column);
        if (cell instanceof String value) {
          if (schema.getFieldType(column) == FieldType.STRING) {
            record.setString(name, value);
          } else {
            text.reset();
            text.setString(VALUE, value);
            record.setReference(name, write.add(TEXT, text));
          }
        } else if (cell instanceof Integer number) {
          record.setInt(name, number);
        } else if (cell instanceof Long number) {
          record.setLong(name, number);
        } else if (cell instanceof LocalDate day) {
          record.setInt(name, (int) day.toEpochDay());
        } else if (cell instanceof BigDecimal amount) {
          record.setLong(name, amount.unscaledValue().longValueExact());
        }
      }
      write.add(ROW, record);
    }
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(snapshot), 1 << 20)) {
      new HollowBlobWriter(write).writeSnapshot(out);
    }
  }

  @Override
  public Finder<K, D> finder() {
    HollowPrimaryKeyIndex keys = requireNonNull(index);
    FoundCells cells = new FoundCells(dataset, requireNonNull(engine));
    return key -> {
      Object[] parts = dataset.keyCells(key);
      int ordinal =
          parts.length == 1 ? keys.getMatchingOrdinal(parts[0]) : keys.getMatchingOrdinal(parts);
      return ordinal < 0 ? null : dataset.row(key, cells.of(ordinal));
    };
  }

  /** The snapshot is its means of transport; lookups need nothing but the heap. */
  @Override
  public long bytesOutsideHeap() {
    return 0;
  }

  @Override
  public void close() {
    index = null;
    engine = null;
  }

  private static final class FoundCells implements Cells {
    private final HollowObjectTypeReadState rows;
    private final HollowObjectTypeReadState texts;
    private final int[] scales;
    private int ordinal;

    FoundCells(Dataset<?, ?> dataset, HollowReadStateEngine engine) {
      rows = (HollowObjectTypeReadState) engine.getTypeState(ROW);
      texts = (HollowObjectTypeReadState) engine.getTypeState(TEXT);
      List<Integer> each = new ArrayList<>();
      dataset.columns().forEach(column -> each.add(column.type().scale()));
      scales = each.stream().mapToInt(Integer::intValue).toArray();
    }

    FoundCells of(int found) {
      ordinal = found;
      return this;
    }

    @Override
    public @Nullable String text(int column) {
      int text = rows.readOrdinal(ordinal, column);
      return text < 0 ? null : texts.readString(text, 0);
    }

    @Override
    public @Nullable Integer integer(int column) {
      int number = rows.readInt(ordinal, column);
      return number == Integer.MIN_VALUE ? null : (Integer) number;
    }

    @Override
    public @Nullable LocalDate date(int column) {
      int day = rows.readInt(ordinal, column);
      return day == Integer.MIN_VALUE ? null : LocalDate.ofEpochDay(day);
    }

    @Override
    public @Nullable BigDecimal decimal(int column) {
      long unscaled = rows.readLong(ordinal, column);
      return unscaled == Long.MIN_VALUE ? null : BigDecimal.valueOf(unscaled, scales[column]);
    }
  }
}
