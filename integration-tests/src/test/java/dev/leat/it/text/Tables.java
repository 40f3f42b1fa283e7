package dev.leat.it.text;

import dev.leat.format.Column;
import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.FileSplit;
import dev.leat.spi.FormatReader;
import dev.leat.spi.RowFormat;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/** A table as Hive's properties, and the reading of a file with one of our formats. */
final class Tables {
  private Tables() {}

  static Properties properties(String serde, List<Column> columns) {
    Properties table = new Properties();
    table.setProperty("serialization.lib", serde);
    table.setProperty("columns", String.join(",", columns.stream().map(Column::name).toList()));
    table.setProperty(
        "columns.types",
        String.join(":", columns.stream().map(column -> column.type().toString()).toList()));
    return table;
  }

  static Blob blob(Path path) throws IOException {
    return new Blob(path.toUri(), Files.size(path), Optional.empty(), Instant.EPOCH);
  }

  static CellTexts read(RowFormat format, List<Column> columns, Path path, long splitSize)
      throws IOException {
    FormatReader reader = format.reader(columns);
    CellTexts rows = new CellTexts(columns);
    for (FileSplit split : reader.splits(blob(path), splitSize)) {
      reader.read(split, new PathReader(path), rows);
    }
    return rows;
  }

  record PathReader(Path path) implements BlobReader {
    @Override
    public void readFully(long position, byte[] target, int offset, int length) throws IOException {
      try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
        file.seek(position);
        file.readFully(target, offset, length);
      }
    }

    @Override
    public InputStream stream(long position) throws IOException {
      InputStream in = Files.newInputStream(path);
      in.skipNBytes(position);
      return in;
    }

    @Override
    public void close() {}
  }
}
