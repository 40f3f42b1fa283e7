package dev.leat.benchmarks;

import com.linkedin.paldb.api.Configuration;
import com.linkedin.paldb.api.PalDB;
import com.linkedin.paldb.api.StoreReader;
import com.linkedin.paldb.api.StoreWriter;
import com.spotify.sparkey.CompressionType;
import com.spotify.sparkey.Sparkey;
import com.spotify.sparkey.SparkeyReader;
import com.spotify.sparkey.SparkeyWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.FlushOptions;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** Peers that keep the table in files. */
final class FileStores {
  private FileStores() {}

  static Store sparkey(Path directory) {
    return new SparkeyStore(directory);
  }

  static Store palDb(Path directory) {
    return new PalDbStore(directory);
  }

  static Store rocksDb(Path directory) {
    return new RocksStore(directory);
  }

  private static byte[] value(long row) {
    return (CustomerTable.tier(row)
            + '|'
            + CustomerTable.country(row)
            + '|'
            + CustomerTable.status(row))
        .getBytes(StandardCharsets.US_ASCII);
  }

  private static Customer decode(String key, byte[] value) {
    int first = 0;
    while (value[first] != '|') {
      first++;
    }
    int second = first + 1;
    while (value[second] != '|') {
      second++;
    }
    return new Customer(
        key,
        new String(value, 0, first, StandardCharsets.ISO_8859_1),
        new String(value, first + 1, second - first - 1, StandardCharsets.ISO_8859_1),
        new String(value, second + 1, value.length - second - 1, StandardCharsets.ISO_8859_1));
  }

  private static long size(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      long sum = 0;
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        sum += Files.size(file);
      }
      return sum;
    }
  }

  private static final class SparkeyStore implements Store {
    private final Path directory;
    private @Nullable SparkeyReader reader;

    SparkeyStore(Path directory) {
      this.directory = directory;
    }

    @Override
    public String name() {
      return "sparkey";
    }

    @Override
    public void load(CustomerTable table) throws IOException {
      Files.createDirectories(directory);
      java.io.File file = directory.resolve("table.spi").toFile();
      byte[] key = new byte[table.keyLength()];
      try (SparkeyWriter writer = Sparkey.createNew(file, CompressionType.NONE, 1024)) {
        for (long i = 0; i < table.rows(); i++) {
          table.putKey(key, 0, table.id(i));
          writer.put(key, value(i));
        }
        writer.flush();
        writer.writeHash();
      }
      reader = Sparkey.openSingleThreadedReader(file);
    }

    @Override
    public Finder finder() {
      SparkeyReader own = java.util.Objects.requireNonNull(reader).duplicate();
      return key -> {
        try {
          byte[] value = own.getAsByteArray(key.getBytes(StandardCharsets.ISO_8859_1));
          return value == null ? null : decode(key, value);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      };
    }

    @Override
    public long bytesOutsideHeap() throws IOException {
      return size(directory);
    }

    @Override
    public void close() {
      if (reader != null) {
        reader.close();
      }
    }
  }

  private static final class PalDbStore implements Store {
    private final Path directory;
    private @Nullable StoreReader reader;

    PalDbStore(Path directory) {
      this.directory = directory;
    }

    @Override
    public String name() {
      return "paldb";
    }

    @Override
    public void load(CustomerTable table) throws IOException {
      Files.createDirectories(directory);
      java.io.File file = directory.resolve("table.paldb").toFile();
      Configuration configuration = PalDB.newConfiguration();
      configuration.set(Configuration.CACHE_ENABLED, "false");
      StoreWriter writer = PalDB.createWriter(file, configuration);
      for (long i = 0; i < table.rows(); i++) {
        writer.put(table.key(table.id(i)), value(i));
      }
      writer.close();
      reader = PalDB.createReader(file, configuration);
    }

    @Override
    public Finder finder() {
      StoreReader own = java.util.Objects.requireNonNull(reader);
      return key -> {
        byte[] value = own.getByteArray(key, null);
        return value == null ? null : decode(key, value);
      };
    }

    @Override
    public long bytesOutsideHeap() throws IOException {
      return size(directory);
    }

    @Override
    public void close() {
      if (reader != null) {
        reader.close();
      }
    }
  }

  private static final class RocksStore implements Store {
    private static final int BATCH = 1000;

    private final Path directory;
    private @Nullable RocksDB database;

    RocksStore(Path directory) {
      this.directory = directory;
    }

    @Override
    public String name() {
      return "rocksdb";
    }

    @Override
    public void load(CustomerTable table) throws RocksDBException, IOException {
      Files.createDirectories(directory);
      RocksDB.loadLibrary();
      BlockBasedTableConfig blocks =
          new BlockBasedTableConfig()
              .setFilterPolicy(new BloomFilter(10, false))
              .setBlockCache(new LRUCache(1L << 30));
      try (Options options =
              new Options()
                  .setCreateIfMissing(true)
                  .setTableFormatConfig(blocks)
                  .optimizeUniversalStyleCompaction();
          WriteOptions write = new WriteOptions().setDisableWAL(true)) {
        RocksDB opened = RocksDB.open(options, directory.toString());
        database = opened;
        byte[] key = new byte[table.keyLength()];
        for (long i = 0; i < table.rows(); ) {
          try (WriteBatch batch = new WriteBatch()) {
            for (int n = 0; n < BATCH && i < table.rows(); n++, i++) {
              table.putKey(key, 0, table.id(i));
              batch.put(key, value(i));
            }
            opened.write(write, batch);
          }
        }
        try (FlushOptions flush = new FlushOptions().setWaitForFlush(true)) {
          opened.flush(flush);
        }
        opened.compactRange();
      }
    }

    @Override
    public Finder finder() {
      RocksDB own = java.util.Objects.requireNonNull(database);
      return key -> {
        try {
          byte[] value = own.get(key.getBytes(StandardCharsets.ISO_8859_1));
          return value == null ? null : decode(key, value);
        } catch (RocksDBException e) {
          throw new IllegalStateException(e);
        }
      };
    }

    @Override
    public long bytesOutsideHeap() throws IOException {
      return size(directory);
    }

    @Override
    public void close() {
      if (database != null) {
        database.close();
      }
    }
  }
}
