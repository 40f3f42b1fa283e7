package dev.leat.parquet;

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
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.FileMetaData;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.io.MessageColumnIO;
import org.apache.parquet.io.RecordReader;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;

/** Reads the row groups of Parquet files. Thread-safe: what belongs to a split is made for it. */
final class ParquetRows implements FormatReader {
  private final List<Column> columns;
  private final ZoneId zone;

  ParquetRows(List<Column> columns, ZoneId zone) {
    this.columns = List.copyOf(columns);
    this.zone = zone;
  }

  /** The columns of a file that have a type of Hive's. */
  static List<DeclaredColumn> columnsOf(Blob file, BlobReader reader) throws IOException {
    try (ParquetFileReader in = open(file, reader, 0, file.length())) {
      List<DeclaredColumn> columns = new ArrayList<>();
      for (Type field : in.getFileMetaData().getSchema().getFields()) {
        try {
          columns.add(new DeclaredColumn(field.getName(), Optional.of(ParquetTypes.of(field))));
        } catch (IllegalArgumentException e) {
          throw UnreadableFile.column(file, field.getName(), e);
        }
      }
      return columns;
    }
  }

  private static ParquetFileReader open(Blob file, BlobReader reader, long start, long length)
      throws IOException {
    ParquetReadOptions options =
        ParquetReadOptions.builder(new PlainParquetConfiguration())
            .withCodecFactory(new Codecs())
            .withRange(start, start + length)
            .build();
    try {
      return new ParquetFileReader(new BlobInput(file, reader), options);
    } catch (RuntimeException e) {
      throw UnreadableFile.as("Parquet", file, e);
    }
  }

  @Override
  public List<FileSplit> splits(Blob file, long targetBytes) {
    return EvenSplits.of(file, targetBytes);
  }

  /** Reads the row groups whose middle lies in the split. */
  @Override
  public void read(FileSplit split, BlobReader reader, RowSink sink) throws IOException {
    Blob file = split.file();
    try (ParquetFileReader in = open(file, reader, split.start(), split.length())) {
      FileMetaData metadata = in.getFileMetaData();
      ParquetTree tree = new ParquetTree(file, metadata, columns, zone);
      MessageType projection = tree.projection();
      in.setRequestedSchema(projection);
      MessageColumnIO io =
          new ColumnIOFactory(metadata.getCreatedBy())
              .getColumnIO(projection, metadata.getSchema());
      ObjectCells cells = new ObjectCells(columns, sink);
      for (PageReadStore group = next(in, file); group != null; group = next(in, file)) {
        long first = group.getRowIndexOffset().orElse(0L);
        RecordReader<Object[]> rows = io.getRecordReader(group, tree.materializer());
        for (long i = 0; i < group.getRowCount(); i++) {
          Object[] row;
          try {
            row = rows.read();
          } catch (RuntimeException e) {
            throw UnreadableFile.as("Parquet", file, e);
          }
          sink.beginRow(first + i);
          for (int column = 0; column < row.length; column++) {
            if (row[column] == ParquetTree.MISFIT) {
              cells.unparsable(column, "a value that does not fit " + columns.get(column).type());
            } else {
              cells.set(column, row[column]);
            }
          }
          sink.endRow();
        }
      }
    }
  }

  private static PageReadStore next(ParquetFileReader in, Blob file) throws IOException {
    try {
      return in.readNextRowGroup();
    } catch (RuntimeException e) {
      throw UnreadableFile.as("Parquet", file, e);
    }
  }

  /** The error for a column whose type the file cannot give. */
  static LeatException mismatch(Blob file, Column column, Type type) {
    return new LeatException(
        ErrorCode.TYPE_MISMATCH,
        "the column '"
            + column.name()
            + "' is "
            + column.type()
            + " and in "
            + file.uri()
            + " it is '"
            + type.toString().replaceAll("\\s+", " ")
            + "'; give the column the type that it has there");
  }
}
