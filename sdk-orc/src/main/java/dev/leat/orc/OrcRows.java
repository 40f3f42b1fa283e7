package dev.leat.orc;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.format.Column;
import dev.leat.format.ColumnType;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.orc.OrcFile;
import org.apache.orc.Reader;
import org.apache.orc.RecordReader;
import org.apache.orc.TypeDescription;
import org.apache.orc.impl.SchemaEvolution;
import org.apache.orc.storage.ql.exec.vector.VectorizedRowBatch;

/** Reads the stripes of ORC files. Thread-safe: what belongs to a split is made for it. */
final class OrcRows implements FormatReader {
  /** What Hive called columns before it wrote their names. */
  private static final Pattern BY_POSITION = Pattern.compile("_col\\d+");

  private final List<Column> columns;
  private final List<Column> table;

  /**
   * Creates a reader.
   *
   * @param columns the columns to deliver
   * @param table the columns of the table in order, which counts where files have no names
   */
  OrcRows(List<Column> columns, List<Column> table) {
    this.columns = List.copyOf(columns);
    this.table = List.copyOf(table);
  }

  /** The columns of a file. */
  static List<DeclaredColumn> columnsOf(Blob file, BlobReader reader) throws IOException {
    try (Reader in = open(file, reader)) {
      List<DeclaredColumn> columns = new ArrayList<>();
      TypeDescription schema = in.getSchema();
      for (int i = 0; i < schema.getChildren().size(); i++) {
        String name = schema.getFieldNames().get(i);
        String type = schema.getChildren().get(i).toString();
        try {
          columns.add(new DeclaredColumn(name, Optional.of(ColumnType.parse(type))));
        } catch (IllegalArgumentException e) {
          throw UnreadableFile.column(file, name, e);
        }
      }
      return columns;
    }
  }

  private static Reader open(Blob file, BlobReader reader) throws IOException {
    // Without the defaults, which stand in files that would be looked for and parsed.
    Configuration conf = new Configuration(false);
    BlobFileSystem files = new BlobFileSystem(file, reader, conf);
    try {
      return OrcFile.createReader(
          files.path(),
          OrcFile.readerOptions(conf)
              .filesystem(files)
              .maxLength(file.length())
              .useUTCTimestamp(true)
              .convertToProlepticGregorian(true));
    } catch (IOException | RuntimeException e) {
      throw UnreadableFile.as("ORC", file, e);
    }
  }

  @Override
  public List<FileSplit> splits(Blob file, long targetBytes) {
    return EvenSplits.of(file, targetBytes);
  }

  /** Reads the stripes that begin in the split. */
  @Override
  public void read(FileSplit split, BlobReader reader, RowSink sink) throws IOException {
    Blob file = split.file();
    try (Reader in = open(file, reader)) {
      List<String> fileNames = in.getSchema().getFieldNames();
      boolean byPosition = fileNames.stream().allMatch(name -> BY_POSITION.matcher(name).matches());
      List<Column> asked = byPosition ? table : columns;
      TypeDescription schema = TypeDescription.createStruct();
      for (Column column : asked) {
        schema.addField(column.name(), TypeDescription.fromString(column.type().toString()));
      }
      int[] positions = new int[columns.size()];
      boolean[] include = new boolean[schema.getMaximumId() + 1];
      include[0] = true;
      for (int i = 0; i < positions.length; i++) {
        positions[i] = positionOf(asked, columns.get(i).name());
        TypeDescription type = schema.getChildren().get(positions[i]);
        java.util.Arrays.fill(include, type.getId(), type.getMaximumId() + 1, true);
      }
      Reader.Options options =
          in.options()
              .schema(schema)
              .include(include)
              .range(split.start(), split.length())
              .forcePositionalEvolution(byPosition)
              .isSchemaEvolutionCaseAware(false);
      try (RecordReader rows = in.rows(options)) {
        deliver(file, rows, schema, positions, sink);
      } catch (SchemaEvolution.IllegalEvolutionException e) {
        throw new LeatException(
            ErrorCode.TYPE_MISMATCH,
            "the columns of "
                + file.uri()
                + " cannot be read as the table's: "
                + e.getMessage()
                + "; give the columns the types that they have there, or wider ones",
            e);
      }
    }
  }

  private static int positionOf(List<Column> asked, String name) {
    for (int i = 0; i < asked.size(); i++) {
      if (asked.get(i).name().equalsIgnoreCase(name)) {
        return i;
      }
    }
    throw new LeatException(
        ErrorCode.COLUMN_NOT_FOUND,
        "the format has no column '"
            + name
            + "'; it has "
            + asked.stream().map(Column::name).toList());
  }

  private void deliver(
      Blob file, RecordReader rows, TypeDescription schema, int[] positions, RowSink sink)
      throws IOException {
    VectorizedRowBatch batch = schema.createRowBatch();
    ObjectCells cells = new ObjectCells(columns, sink);
    while (true) {
      long first = rows.getRowNumber();
      try {
        if (!rows.nextBatch(batch)) {
          return;
        }
      } catch (SchemaEvolution.IllegalEvolutionException e) {
        throw e;
      } catch (IOException | RuntimeException e) {
        throw UnreadableFile.as("ORC", file, e);
      }
      for (int row = 0; row < batch.size; row++) {
        sink.beginRow(first + row);
        for (int i = 0; i < positions.length; i++) {
          cells.set(i, OrcValues.value(columns.get(i).type(), batch.cols[positions[i]], row));
        }
        sink.endRow();
      }
    }
  }
}
