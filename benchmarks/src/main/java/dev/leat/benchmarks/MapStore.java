package dev.leat.benchmarks;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.HashMap;
import java.util.Map;

/** A peer that keeps the user's records on the heap. */
final class MapStore<K, D> implements Store<K, D> {
  private final Dataset<K, D> dataset;
  private final Map<K, D> map;

  private MapStore(Dataset<K, D> dataset, Map<K, D> map) {
    this.dataset = dataset;
    this.map = map;
  }

  /** A {@code HashMap}, values of few distinct ones shared: what a careful person writes. */
  static <K, D> Store<K, D> hashMap(Dataset<K, D> dataset) {
    return new MapStore<>(dataset, new HashMap<>());
  }

  /** Caffeine with no bound. */
  static <K, D> Store<K, D> caffeine(Dataset<K, D> dataset) {
    Cache<K, D> cache = Caffeine.newBuilder().build();
    return new MapStore<>(dataset, cache.asMap());
  }

  @Override
  public void load() {
    for (long row = 0; row < dataset.rows(); row++) {
      K key = dataset.key(Dataset.id(row));
      map.put(key, dataset.row(key, new GeneratedCells(dataset, row)));
    }
  }

  @Override
  public Finder<K, D> finder() {
    return map::get;
  }

  @Override
  public long bytesOutsideHeap() {
    return 0;
  }

  @Override
  public void close() {
    map.clear();
  }
}
