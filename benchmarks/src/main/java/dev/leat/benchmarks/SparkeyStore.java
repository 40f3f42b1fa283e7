package dev.leat.benchmarks;

import static java.util.Objects.requireNonNull;

import com.spotify.sparkey.CompressionType;
import com.spotify.sparkey.Sparkey;
import com.spotify.sparkey.SparkeyReader;
import com.spotify.sparkey.SparkeyWriter;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Sparkey, uncompressed. */
final class SparkeyStore<K, D> extends FileStore<K, D> {
  private @Nullable SparkeyReader reader;

  SparkeyStore(Dataset<K, D> dataset, Path directory) {
    super(dataset, directory);
  }

  @Override
  void write(ValueCells cells) throws IOException {
    File file = directory().resolve("table.spi").toFile();
    try (SparkeyWriter writer = Sparkey.createNew(file, CompressionType.NONE, 1024)) {
      for (long row = 0; row < dataset().rows(); row++) {
        writer.put(dataset().keyBytes(dataset().key(Dataset.id(row))), cells.encode(row));
      }
      writer.flush();
      writer.writeHash();
    }
    reader = Sparkey.openSingleThreadedReader(file);
  }

  @Override
  public Finder<K, D> finder() {
    SparkeyReader own = requireNonNull(reader).duplicate();
    ValueCells cells = new ValueCells(dataset());
    return key -> {
      try {
        byte[] value = own.getAsByteArray(dataset().keyBytes(key));
        return value == null ? null : dataset().row(key, cells.of(value));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    };
  }

  @Override
  public void close() {
    if (reader != null) {
      reader.close();
    }
  }
}
