package dev.leat.benchmarks;

import dev.leat.format.ColumnType;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What {@code --stores} chooses from. */
enum StoreKind {
  LEAT,
  SPARKEY,
  PALDB,
  ROCKSDB,
  HOLLOW,
  HASHMAP,
  CAFFEINE,
  FLINK_FULL,
  FLINK_HIVE;

  static StoreKind of(String name) {
    return Arrays.stream(values())
        .filter(kind -> kind.label().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "there is no store '" + name + "'; there are " + labels()));
  }

  static List<String> labels() {
    return Arrays.stream(values()).map(StoreKind::label).toList();
  }

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Makes a store.
   *
   * @param work where it may have files
   * @param text the table as text
   */
  <K, D> Store<K, D> open(Dataset<K, D> dataset, Path work, Path text) {
    Path files = work.resolve(label());
    return switch (this) {
      case LEAT -> new LeatStore<>(dataset, files, text);
      case SPARKEY -> new SparkeyStore<>(dataset, files);
      case PALDB -> new PalDbStore<>(dataset, files);
      case ROCKSDB -> new RocksDbStore<>(dataset, files);
      case HOLLOW -> new HollowStore<>(dataset, files);
      case HASHMAP -> MapStore.hashMap(dataset);
      case CAFFEINE -> MapStore.caffeine(dataset);
      case FLINK_FULL -> FlinkMapStore.full(dataset);
      case FLINK_HIVE -> FlinkMapStore.hive(dataset);
    };
  }

  /**
   * About how much heap it needs for a row at most, also while it loads: decides which stores can
   * stand side by side, and whether one can be tried at all.
   */
  long heapPerRow(Dataset<?, ?> dataset) {
    long texts = dataset.columns().stream().filter(c -> c.type().equals(ColumnType.STRING)).count();
    long others = dataset.columns().size() - texts;
    long record = 16 + 4L * dataset.columns().size() + 24 * others + (texts > 4 ? 48 * texts : 0);
    return switch (this) {
      case LEAT, SPARKEY, PALDB, ROCKSDB -> 0;
      case HOLLOW -> 60 + 25L * dataset.columns().size();
      case HASHMAP -> 100 + record;
      case CAFFEINE -> 140 + record;
      // A BinaryStringData of its own per text, and the key once more.
      case FLINK_FULL, FLINK_HIVE ->
          280 + 160 * (texts + dataset.keyColumns().size()) + 24 * others;
    };
  }
}
