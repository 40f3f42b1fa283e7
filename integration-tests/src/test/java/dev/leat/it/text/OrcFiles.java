package dev.leat.it.text;

import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.orc.CompressionKind;
import org.apache.orc.OrcFile;
import org.apache.orc.TypeDescription;
import org.apache.orc.Writer;
import org.apache.orc.storage.common.type.HiveDecimal;
import org.apache.orc.storage.ql.exec.vector.BytesColumnVector;
import org.apache.orc.storage.ql.exec.vector.ColumnVector;
import org.apache.orc.storage.ql.exec.vector.DateColumnVector;
import org.apache.orc.storage.ql.exec.vector.DecimalColumnVector;
import org.apache.orc.storage.ql.exec.vector.DoubleColumnVector;
import org.apache.orc.storage.ql.exec.vector.ListColumnVector;
import org.apache.orc.storage.ql.exec.vector.LongColumnVector;
import org.apache.orc.storage.ql.exec.vector.MapColumnVector;
import org.apache.orc.storage.ql.exec.vector.StructColumnVector;
import org.apache.orc.storage.ql.exec.vector.TimestampColumnVector;
import org.apache.orc.storage.ql.exec.vector.VectorizedRowBatch;
import org.jspecify.annotations.Nullable;

/** Writes ORC files with ORC's own library. */
public final class OrcFiles {
  private OrcFiles() {}

  /**
   * Writes a file.
   *
   * @param proleptic whether days are counted in the calendar of ISO
   */
  public static void write(
      Path path,
      List<Column> columns,
      List<@Nullable Object[]> rows,
      CompressionKind compression,
      boolean proleptic)
      throws IOException {
    TypeDescription schema = TypeDescription.fromString(ColumnType.struct(columns).toString());
    Configuration conf = new Configuration(false);
    conf.set("fs.file.impl", "org.apache.hadoop.fs.RawLocalFileSystem");
    // Hadoop keeps a file system for all who ask for its scheme, and others need the usual one.
    conf.set("fs.file.impl.disable.cache", "true");
    try (Writer writer =
        OrcFile.createWriter(
            new org.apache.hadoop.fs.Path(path.toUri()),
            OrcFile.writerOptions(conf)
                .setSchema(schema)
                .compress(compression)
                .stripeSize(4_096)
                .useUTCTimestamp(true)
                .setProlepticGregorian(proleptic))) {
      VectorizedRowBatch batch = schema.createRowBatch(64);
      for (@Nullable Object[] row : rows) {
        int at = batch.size++;
        for (int i = 0; i < row.length; i++) {
          set(batch.cols[i], at, columns.get(i).type(), row[i]);
        }
        if (batch.size == batch.getMaxSize()) {
          writer.addRowBatch(batch);
          batch.reset();
        }
      }
      if (batch.size > 0) {
        writer.addRowBatch(batch);
      }
    }
  }

  private static void set(ColumnVector vector, int at, ColumnType type, @Nullable Object value) {
    vector.ensureSize(at + 1, true);
    if (value == null) {
      vector.noNulls = false;
      vector.isNull[at] = true;
      return;
    }
    switch (type.kind()) {
      case BOOLEAN -> ((LongColumnVector) vector).vector[at] = (Boolean) value ? 1 : 0;
      case TINYINT, SMALLINT, INT, BIGINT ->
          ((LongColumnVector) vector).vector[at] = ((Number) value).longValue();
      case DATE -> {
        DateColumnVector dates = (DateColumnVector) vector;
        dates.changeCalendar(true, false);
        dates.vector[at] = ((LocalDate) value).toEpochDay();
      }
      case FLOAT, DOUBLE ->
          ((DoubleColumnVector) vector).vector[at] = ((Number) value).doubleValue();
      case DECIMAL ->
          ((DecimalColumnVector) vector).vector[at].set(HiveDecimal.create((BigDecimal) value));
      case STRING, CHAR, VARCHAR ->
          ((BytesColumnVector) vector)
              .setVal(at, ((String) value).getBytes(StandardCharsets.UTF_8));
      case BINARY -> ((BytesColumnVector) vector).setVal(at, (byte[]) value);
      case TIMESTAMP -> {
        TimestampColumnVector times = (TimestampColumnVector) vector;
        LocalDateTime time = (LocalDateTime) value;
        times.setIsUTC(true);
        times.changeCalendar(true, false);
        times.time[at] = time.toInstant(ZoneOffset.UTC).toEpochMilli();
        times.nanos[at] = time.getNano();
      }
      case ARRAY -> {
        ListColumnVector list = (ListColumnVector) vector;
        Collection<?> elements = (Collection<?>) value;
        list.offsets[at] = list.childCount;
        list.lengths[at] = elements.size();
        for (Object element : elements) {
          set(list.child, list.childCount++, type.element(), element);
        }
      }
      case MAP -> {
        MapColumnVector map = (MapColumnVector) vector;
        Map<?, ?> entries = (Map<?, ?>) value;
        map.offsets[at] = map.childCount;
        map.lengths[at] = entries.size();
        entries.forEach(
            (key, entry) -> {
              int child = map.childCount++;
              set(map.keys, child, type.key(), key);
              set(map.values, child, type.value(), entry);
            });
      }
      case STRUCT -> {
        StructColumnVector struct = (StructColumnVector) vector;
        for (int i = 0; i < struct.fields.length; i++) {
          set(struct.fields[i], at, type.fields().get(i).type(), ((List<?>) value).get(i));
        }
      }
    }
  }
}
