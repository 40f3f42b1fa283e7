package dev.leat.avro;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.format.Column;
import dev.leat.internal.cell.EvenSplits;
import dev.leat.internal.cell.ObjectCells;
import dev.leat.internal.cell.UnreadableFile;
import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.FileSplit;
import dev.leat.spi.FormatReader;
import dev.leat.spi.RowFormat.DeclaredColumn;
import dev.leat.spi.RowSink;
import java.io.IOException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/** Reads the blocks of Avro files. Thread-safe: what belongs to a split is made for it. */
final class AvroRows implements FormatReader {
  /** Room for the rows of one block between its place in the file and that of the next. */
  private static final int BLOCK_ROW_BITS = 20;

  private final List<Column> columns;
  private final ZoneId zone;

  AvroRows(List<Column> columns, ZoneId zone) {
    this.columns = List.copyOf(columns);
    this.zone = zone;
  }

  /** The columns of a file. */
  static List<DeclaredColumn> columnsOf(Blob file, BlobReader reader) throws IOException {
    try (DataFileReader<IndexedRecord> in = open(file, reader, new GenericDatumReader<>())) {
      List<DeclaredColumn> columns = new ArrayList<>();
      for (Schema.Field field : record(file, in.getSchema()).getFields()) {
        try {
          columns.add(new DeclaredColumn(field.name(), Optional.of(AvroTypes.of(field.schema()))));
        } catch (IllegalArgumentException e) {
          throw UnreadableFile.column(file, field.name(), e);
        }
      }
      return columns;
    }
  }

  private static Schema record(Blob file, Schema schema) {
    if (schema.getType() != Schema.Type.RECORD) {
      throw new LeatException(
          ErrorCode.TYPE_MISMATCH,
          file.uri() + " has values of the type " + schema.getType() + " and no records");
    }
    return schema;
  }

  private static DataFileReader<IndexedRecord> open(
      Blob file, BlobReader reader, GenericDatumReader<IndexedRecord> datums) throws IOException {
    BlobInput input = new BlobInput(file, reader);
    try {
      return new DataFileReader<>(input, datums);
    } catch (AvroRuntimeException | LinkageError e) {
      input.close();
      throw unreadable(file, e);
    } catch (IOException e) {
      input.close();
      throw UnreadableFile.as("Avro", file, e);
    }
  }

  private static LeatException unreadable(Blob file, Throwable cause) {
    return new LeatException(
        ErrorCode.CODEC_NOT_FOUND,
        file.uri()
            + " is compressed with a codec that is not there ("
            + cause
            + "); add org.xerial.snappy:snappy-java for snappy, com.github.luben:zstd-jni for"
            + " zstandard, or org.apache.commons:commons-compress for bzip2 and xz",
        cause);
  }

  @Override
  public List<FileSplit> splits(Blob file, long targetBytes) {
    return EvenSplits.of(file, targetBytes);
  }

  /** Reads the blocks that begin after the first synchronization mark of the split. */
  @Override
  public void read(FileSplit split, BlobReader reader, RowSink sink) throws IOException {
    Blob file = split.file();
    GenericDatumReader<IndexedRecord> datums = new GenericDatumReader<>();
    try (DataFileReader<IndexedRecord> in = open(file, reader, datums)) {
      Schema written = record(file, in.getSchema());
      Schema projection = projection(written);
      datums.setExpected(projection);
      int[] positions = new int[columns.size()];
      for (int i = 0; i < positions.length; i++) {
        Schema.Field field = find(projection, columns.get(i).name());
        positions[i] = field == null ? -1 : field.pos();
      }
      String writerZone = in.getMetaString("writer.time.zone");
      AvroValues values =
          new AvroValues(
              writerZone == null ? zone : ZoneId.of(writerZone),
              !Boolean.parseBoolean(in.getMetaString("writer.proleptic")));
      ObjectCells cells = new ObjectCells(columns, sink);
      in.sync(split.start());
      long block = -1;
      long row = 0;
      IndexedRecord record = null;
      while (hasNext(file, in) && !in.pastSync(split.start() + split.length())) {
        if (in.previousSync() != block) {
          block = in.previousSync();
          row = 0;
        }
        record = next(file, in, record);
        sink.beginRow((block << BLOCK_ROW_BITS) + Math.min(row++, (1 << BLOCK_ROW_BITS) - 1));
        for (int i = 0; i < positions.length; i++) {
          if (positions[i] < 0) {
            continue;
          }
          Schema schema = projection.getFields().get(positions[i]).schema();
          Object raw = record.get(positions[i]);
          Object value = values.value(columns.get(i).type(), schema, raw);
          if (values.isMisfit()) {
            cells.unparsable(i, String.valueOf(raw));
          } else {
            cells.set(i, value);
          }
        }
        sink.endRow();
      }
    }
  }

  private static boolean hasNext(Blob file, DataFileReader<IndexedRecord> in) throws IOException {
    try {
      return in.hasNext();
    } catch (AvroRuntimeException e) {
      throw UnreadableFile.as("Avro", file, e);
    } catch (LinkageError e) {
      throw unreadable(file, e);
    }
  }

  private static IndexedRecord next(
      Blob file, DataFileReader<IndexedRecord> in, @Nullable IndexedRecord reused)
      throws IOException {
    try {
      return in.next(reused);
    } catch (AvroRuntimeException | IOException | IndexOutOfBoundsException e) {
      throw UnreadableFile.as("Avro", file, e);
    }
  }

  /** The record without the fields that nobody asked for. */
  private Schema projection(Schema written) {
    List<Schema.Field> fields = new ArrayList<>();
    for (Schema.Field field : written.getFields()) {
      if (columns.stream()
          .map(column -> find(written, column.name()))
          .anyMatch(found -> found != null && found.pos() == field.pos())) {
        fields.add(new Schema.Field(field.name(), field.schema(), field.doc(), null));
      }
    }
    return Schema.createRecord(
        written.getName(), written.getDoc(), written.getNamespace(), written.isError(), fields);
  }

  /** The field of a name: of exactly this one, else of one that differs in case. */
  static Schema.@Nullable Field find(Schema record, String name) {
    Schema.Field exact = record.getField(name);
    if (exact != null) {
      return exact;
    }
    return record.getFields().stream()
        .filter(field -> field.name().equalsIgnoreCase(name))
        .findFirst()
        .orElse(null);
  }
}
