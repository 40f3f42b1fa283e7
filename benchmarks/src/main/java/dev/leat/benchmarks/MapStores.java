package dev.leat.benchmarks;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.binary.BinaryStringData;
import org.jspecify.annotations.Nullable;

/** Peers that keep the table on the heap. */
final class MapStores {
  private MapStores() {}

  /**
   * What Flink's SQL FULL lookup cache keeps, once per TaskManager: {@code
   * ConcurrentHashMap<RowData, Collection<RowData>>}, as its {@code FullCache} loads it.
   */
  static Store flinkFull() {
    return new FlinkMap("flink_full", new ConcurrentHashMap<>(), true);
  }

  /**
   * What Flink's Hive lookup join keeps, once per subtask: {@code HashMap<RowData, List<RowData>>}.
   */
  static Store flinkHive() {
    return new FlinkMap("flink_hive", new HashMap<>(), false);
  }

  /**
   * A map of the user's records, values of low cardinality shared: what a careful person writes by
   * hand.
   */
  static Store hashMap() {
    return new RecordMap("hashmap");
  }

  /** Caffeine with no bound. */
  static Store caffeine() {
    return new CaffeineStore();
  }

  private static final class FlinkMap implements Store {
    private final String name;
    private final Map<RowData, Collection<RowData>> map;
    private final boolean queues;

    FlinkMap(String name, Map<RowData, Collection<RowData>> map, boolean queues) {
      this.name = name;
      this.map = map;
      this.queues = queues;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public void load(CustomerTable table) {
      for (long i = 0; i < table.rows(); i++) {
        Customer row = table.row(i);
        // A row comes out of the format's deserialiser with strings of its own; the key is
        // projected from it and copied.
        RowData value =
            GenericRowData.of(
                text(row.customerId()),
                text(row.subscriptionTier()),
                text(row.countryCode()),
                text(row.accountStatus()));
        RowData key = GenericRowData.of(text(row.customerId()));
        map.computeIfAbsent(key, k -> queues ? new ConcurrentLinkedQueue<>() : new ArrayList<>())
            .add(value);
      }
    }

    private static StringData text(String value) {
      return BinaryStringData.fromBytes(value.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    @Override
    public Finder finder() {
      return this::find;
    }

    private @Nullable Customer find(String key) {
      Collection<RowData> rows = map.get(GenericRowData.of(StringData.fromString(key)));
      if (rows == null) {
        return null;
      }
      RowData row =
          rows instanceof Queue<RowData> queue ? queue.peek() : ((List<RowData>) rows).get(0);
      if (row == null) {
        return null;
      }
      return new Customer(
          key,
          row.getString(1).toString(),
          row.getString(2).toString(),
          row.getString(3).toString());
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

  private static final class RecordMap implements Store {
    private final String name;
    private final Map<String, Customer> map = new HashMap<>();

    RecordMap(String name) {
      this.name = name;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public void load(CustomerTable table) {
      for (long i = 0; i < table.rows(); i++) {
        Customer row = table.row(i);
        map.put(row.customerId(), row);
      }
    }

    @Override
    public Finder finder() {
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

  private static final class CaffeineStore implements Store {
    private final Cache<String, Customer> cache = Caffeine.newBuilder().build();

    @Override
    public String name() {
      return "caffeine";
    }

    @Override
    public void load(CustomerTable table) {
      for (long i = 0; i < table.rows(); i++) {
        Customer row = table.row(i);
        cache.put(row.customerId(), row);
      }
    }

    @Override
    public Finder finder() {
      return cache::getIfPresent;
    }

    @Override
    public long bytesOutsideHeap() {
      return 0;
    }

    @Override
    public void close() {
      cache.invalidateAll();
    }
  }
}
