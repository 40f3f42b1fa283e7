package dev.leat.benchmarks;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.FlushOptions;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** RocksDB with a Bloom filter and a block cache of 1 GB, compacted. */
final class RocksDbStore<K, D> extends FileStore<K, D> {
  private static final int BATCH = 1000;

  private final Cache cache;
  private final BloomFilter filter;
  private @Nullable RocksDB database;

  RocksDbStore(Dataset<K, D> dataset, Path directory) {
    super(dataset, directory);
    RocksDB.loadLibrary();
    cache = new LRUCache(1L << 30);
    filter = new BloomFilter(10, false);
  }

  @Override
  void write(ValueCells cells) throws RocksDBException {
    BlockBasedTableConfig blocks =
        new BlockBasedTableConfig().setFilterPolicy(filter).setBlockCache(cache);
    try (Options options =
            new Options()
                .setCreateIfMissing(true)
                .setTableFormatConfig(blocks)
                .optimizeUniversalStyleCompaction();
        WriteOptions write = new WriteOptions().setDisableWAL(true)) {
      RocksDB opened = RocksDB.open(options, directory().toString());
      database = opened;
      for (long row = 0; row < dataset().rows(); ) {
        try (WriteBatch batch = new WriteBatch()) {
          for (int n = 0; n < BATCH && row < dataset().rows(); n++, row++) {
            batch.put(dataset().keyBytes(dataset().key(Dataset.id(row))), cells.encode(row));
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
  public Finder<K, D> finder() {
    RocksDB own = requireNonNull(database);
    ValueCells cells = new ValueCells(dataset());
    return key -> {
      try {
        byte[] value = own.get(dataset().keyBytes(key));
        return value == null ? null : dataset().row(key, cells.of(value));
      } catch (RocksDBException e) {
        throw new IllegalStateException(e);
      }
    };
  }

  @Override
  public void close() {
    if (database != null) {
      database.close();
    }
    cache.close();
    filter.close();
  }
}
