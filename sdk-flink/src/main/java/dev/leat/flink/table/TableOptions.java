package dev.leat.flink.table;

import dev.leat.DataSize;
import dev.leat.LocalDisk;
import dev.leat.MalformedRows;
import dev.leat.Partitions;
import dev.leat.Refresh;
import dev.leat.spi.CacheTier;
import dev.leat.spi.CacheTierFactory;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.connector.source.lookup.LookupOptions.LookupCacheType;

/** Reads a table's options, and refuses those that contradict each other. */
final class TableOptions {
  private final String table;
  private final ReadableConfig options;
  private final Map<String, String> raw;
  private final ClassLoader loader;

  /**
   * Options of a table.
   *
   * @param table the table's name, for errors
   * @param options the options by their definitions
   * @param raw the same as they stand
   * @param loader finds the tiers
   */
  TableOptions(String table, ReadableConfig options, Map<String, String> raw, ClassLoader loader) {
    this.table = table;
    this.options = options;
    this.raw = raw;
    this.loader = loader;
  }

  /** Where the files are, as written. */
  String path() {
    return options.get(LeatOptions.PATH);
  }

  /** The name of the format. */
  String format() {
    return options.get(LeatOptions.FORMAT);
  }

  /** The name of the dimension, if one was given. */
  Optional<String> name() {
    return options.getOptional(LeatOptions.NAME);
  }

  /** Which columns an index holds. */
  LeatOptions.IndexColumns indexColumns() {
    return options.get(LeatOptions.INDEX_COLUMNS);
  }

  /** Whether an asynchronous lookup is offered. */
  boolean async() {
    return options.get(LeatOptions.LOOKUP_ASYNC);
  }

  /** When the source is looked at. */
  Refresh refresh() {
    checkCache();
    checkRetries();
    return refreshOptions().refresh();
  }

  /** What else the options say about versions. */
  RefreshOptions refreshOptions() {
    return new RefreshOptions(options, this::error);
  }

  private void checkCache() {
    Optional<LookupCacheType> cache = options.getOptional(LeatOptions.CACHE);
    if (cache.isPresent() && cache.get() == LookupCacheType.NONE) {
      throw error(
          "'lookup.cache' = 'NONE' asks the source for each row, and no single row of a file can be"
              + " asked for; leave the option out, or write FULL, which is what always holds");
    }
    refuseUnless(
        LookupCacheType.FULL,
        cache,
        "lookup.full-cache.",
        "they are those of a full cache; write 'lookup.cache' = 'FULL', or leave it out");
    refuseUnless(
        LookupCacheType.PARTIAL,
        cache,
        "lookup.partial-cache.",
        "they are those of a partial cache; write 'lookup.cache' = 'PARTIAL', or leave them out");
  }

  private void checkRetries() {
    Optional<Integer> retries = options.getOptional(LeatOptions.MAX_RETRIES);
    if (retries.isPresent() && retries.get() < 1) {
      throw error(
          "'lookup.max-retries' = '"
              + retries.get()
              + "' asks that no lookup is tried again, and one that finds the index damaged always"
              + " is, once its version has been replaced; leave the option out, or write 1 or"
              + " more");
    }
  }

  private void refuseUnless(
      LookupCacheType needed, Optional<LookupCacheType> given, String prefix, String remedy) {
    List<String> ofPrefix =
        raw.keySet().stream().filter(key -> key.startsWith(prefix)).sorted().toList();
    LookupCacheType actual = given.orElse(LookupCacheType.FULL);
    if (!ofPrefix.isEmpty() && actual != needed) {
      throw error(
          "the options "
              + ofPrefix
              + " contradict 'lookup.cache' = '"
              + actual
              + "'"
              + (given.isPresent() ? "" : ", which holds where it is left out")
              + ": "
              + remedy);
    }
  }

  /**
   * The partitions that are read.
   *
   * @param all gives all partitions of a partitioned table
   * @param keys the names of the columns by which the table is partitioned; none if it is not
   */
  Optional<Partitions> partitions(Supplier<Partitions> all, List<String> keys) {
    LeatOptions.PartitionInclude include = options.get(LeatOptions.PARTITION_INCLUDE);
    LeatOptions.PartitionOrder order = options.get(LeatOptions.PARTITION_ORDER);
    Optional<String> pattern = options.getOptional(LeatOptions.PARTITION_TIME_PATTERN);
    if (include == LeatOptions.PartitionInclude.ALL) {
      return keys.isEmpty() ? Optional.empty() : Optional.of(marked(all.get()));
    }
    if (keys.isEmpty()) {
      throw error(
          "'streaming-source.partition.include' = 'latest' asks for the latest partition, and the"
              + " table is not partitioned; leave it out, or say PARTITIONED BY");
    }
    if (pattern.isPresent() && order != LeatOptions.PartitionOrder.PARTITION_TIME) {
      throw error(
          "'partition.time-extractor.timestamp-pattern' is for 'streaming-source.partition-order' ="
              + " 'partition-time', and the order is "
              + order
              + "; leave one of them out");
    }
    return Optional.of(
        switch (order) {
          case PARTITION_NAME -> marked(all.get()).latest();
          case CREATE_TIME -> marked(all.get()).latestByCreation();
          case PARTITION_TIME -> marked(all.get()).latestByTime(pattern.orElse("$" + keys.get(0)));
        });
  }

  private Partitions marked(Partitions partitions) {
    return successFile().map(partitions::whenMarked).orElse(partitions);
  }

  /** The file that marks a table or a partition as complete. */
  Optional<String> successFile() {
    return options.getOptional(LeatOptions.SUCCESS_FILE);
  }

  /** What is done with rows that cannot be read. */
  MalformedRows malformedRows() {
    Optional<Long> rows = options.getOptional(LeatOptions.MALFORMED_ROWS_MAX_ROWS);
    Optional<Double> share = options.getOptional(LeatOptions.MALFORMED_ROWS_MAX_SHARE);
    // Where only a number is given, the number decides.
    return new MalformedRows(
        rows.orElse(Long.MAX_VALUE),
        share.orElse(rows.isPresent() ? 1.0 : MalformedRows.DEFAULT_SHARE));
  }

  /** Settings of the stores, if there are any. */
  Optional<TableStoreSettings> storeSettings() {
    Map<String, String> properties = withoutPrefix(LeatOptions.PROPERTIES_PREFIX);
    for (String key : new TreeMap<>(properties).keySet()) {
      if (!key.startsWith("fs.") && !key.startsWith("hadoop.") && !key.startsWith("alluxio.")) {
        throw error(
            "'"
                + LeatOptions.PROPERTIES_PREFIX
                + key
                + "' is no property of a store; behind '"
                + LeatOptions.PROPERTIES_PREFIX
                + "' stand keys that begin with fs., hadoop. or alluxio., such as"
                + " properties.fs.s3a.endpoint");
      }
    }
    return properties.isEmpty()
        ? Optional.empty()
        : Optional.of(new TableStoreSettings(properties));
  }

  /** The options of a format, without its prefix. */
  Map<String, String> formatOptions(String format) {
    return withoutPrefix(format + ".");
  }

  private Map<String, String> withoutPrefix(String prefix) {
    Map<String, String> found = new TreeMap<>();
    raw.forEach(
        (key, value) -> {
          if (key.startsWith(prefix)) {
            found.put(key.substring(prefix.length()), value);
          }
        });
    return found;
  }

  /** The cache tiers, the local disk the nearest. */
  List<CacheTier> tiers(URI location) {
    Map<String, CacheTierFactory> factories = tierFactories();
    List<CacheTier> tiers = new ArrayList<>();
    tiers.add(localDisk());
    List<String> names =
        options.getOptional(LeatOptions.CACHE_TIERS).orElseGet(() -> tiersOf(location, factories));
    Set<String> seen = new HashSet<>();
    for (String name : names) {
      CacheTierFactory factory = factories.get(name);
      if (factory == null) {
        throw error(
            "there is no cache tier '"
                + name
                + "' on the class path; there are "
                + factories.keySet()
                + ", and leat-alluxio brings alluxio");
      }
      if (!seen.add(name)) {
        throw error("the cache tier '" + name + "' is named twice; name it once");
      }
      Map<String, String> given = withoutPrefix(prefix(factory));
      for (String option : given.keySet()) {
        if (!factory.options().containsKey(option)) {
          throw error(
              "the cache tier '"
                  + name
                  + "' has no option '"
                  + prefix(factory)
                  + option
                  + "'; it has "
                  + factory.options().keySet().stream().map(prefix(factory)::concat).toList());
        }
      }
      try {
        tiers.add(factory.create(location, given));
      } catch (IllegalArgumentException e) {
        throw error("the options " + prefix(factory) + "* make no sense: " + e.getMessage());
      }
    }
    for (CacheTierFactory factory : factories.values()) {
      Map<String, String> given = withoutPrefix(prefix(factory));
      if (!given.isEmpty() && !seen.contains(factory.identifier())) {
        throw error(
            "the options "
                + given.keySet().stream().map(prefix(factory)::concat).toList()
                + " are those of a cache tier that the table does not have; add '"
                + LeatOptions.CACHE_TIERS.key()
                + "' = '"
                + factory.identifier()
                + "'");
      }
    }
    return List.copyOf(tiers);
  }

  private LocalDisk localDisk() {
    LocalDisk disk =
        options
            .getOptional(LeatOptions.LOCAL_DISK_DIRECTORY)
            .map(directory -> LocalDisk.at(Path.of(directory)))
            .orElseGet(LocalDisk::defaults);
    return disk.budget(DataSize.ofBytes(options.get(LeatOptions.LOCAL_DISK_BUDGET).getBytes()));
  }

  private static List<String> tiersOf(URI location, Map<String, CacheTierFactory> factories) {
    String scheme = location.getScheme().toLowerCase(Locale.ROOT);
    return factories.values().stream()
        .filter(factory -> factory.schemes().contains(scheme))
        .map(CacheTierFactory::identifier)
        .toList();
  }

  /** What the options of a tier begin with. */
  static String prefix(CacheTierFactory factory) {
    return "leat." + factory.identifier() + ".";
  }

  private Map<String, CacheTierFactory> tierFactories() {
    return tierFactories(loader);
  }

  /** The tiers that can be named, by identifier. */
  static Map<String, CacheTierFactory> tierFactories(ClassLoader loader) {
    Map<String, CacheTierFactory> factories = new TreeMap<>();
    for (CacheTierFactory factory : ServiceLoader.load(CacheTierFactory.class, loader)) {
      factories.putIfAbsent(factory.identifier(), factory);
    }
    return factories;
  }

  private ValidationException error(String message) {
    return new ValidationException("Table " + table + ": " + message + ".");
  }
}
