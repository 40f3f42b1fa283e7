package dev.leat.benchmarks;

import com.linkedin.paldb.api.Configuration;
import com.linkedin.paldb.api.PalDB;
import com.linkedin.paldb.api.StoreReader;
import com.linkedin.paldb.api.StoreWriter;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** PalDB without its cache, which random keys would only slow down. */
final class PalDbStore<K, D> extends FileStore<K, D> {
  private final List<StoreReader> readers = new ArrayList<>();
  private final File file;
  private final Configuration configuration = PalDB.newConfiguration();

  PalDbStore(Dataset<K, D> dataset, Path directory) {
    super(dataset, directory);
    file = directory.resolve("table.paldb").toFile();
    configuration.set(Configuration.CACHE_ENABLED, "false");
  }

  /** Single values as they are, since PalDB serialises those itself; others as bytes. */
  private Object stored(K key) {
    return dataset().keyColumns().size() == 1 ? key : dataset().keyBytes(key);
  }

  @Override
  void write(ValueCells cells) {
    StoreWriter writer = PalDB.createWriter(file, configuration);
    for (long row = 0; row < dataset().rows(); row++) {
      writer.put(stored(dataset().key(Dataset.id(row))), cells.encode(row));
    }
    writer.close();
  }

  @Override
  public Finder<K, D> finder() {
    StoreReader own = PalDB.createReader(file, configuration);
    readers.add(own);
    ValueCells cells = new ValueCells(dataset());
    return key -> {
      byte[] value = own.getByteArray(stored(key), null);
      return value == null ? null : dataset().row(key, cells.of(value));
    };
  }

  @Override
  public void close() {
    readers.forEach(StoreReader::close);
  }
}
