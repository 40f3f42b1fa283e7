package dev.leat.flink.table;

import static org.apache.flink.configuration.ConfigOptions.key;

import dev.leat.MalformedRows;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.table.connector.source.lookup.LookupOptions;

/**
 * The options of a table {@code WITH ('connector' = 'leat', …)}. Names of Flink's lookup options
 * and of the Hive connector are kept where they mean the same; {@code docs/sql.md} says what each
 * does.
 */
public final class LeatOptions {
  /** The value of {@code connector}. */
  public static final String IDENTIFIER = "leat";

  /** What the settings of stores begin with; the rest is Hadoop's or Alluxio's own key. */
  public static final String PROPERTIES_PREFIX = "properties.";

  /** Which columns an index holds. */
  public enum IndexColumns {
    /** Those that the query uses: the smallest index. */
    QUERY,
    /** All of the table, so that queries with the same key share one index. */
    TABLE
  }

  /** What newest means among partitions. */
  public enum PartitionOrder {
    /** The greatest name. */
    PARTITION_NAME,
    /** The latest creation. */
    CREATE_TIME,
    /** The latest time that its values say. */
    PARTITION_TIME;

    /** As the Hive connector spells it. */
    @Override
    public String toString() {
      return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }
  }

  /** Which partitions are read. */
  public enum PartitionInclude {
    /** All of them. */
    ALL,
    /** The newest one. */
    LATEST;

    /** As the Hive connector spells it. */
    @Override
    public String toString() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  public static final ConfigOption<String> PATH =
      key("path")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "Where the files of the table are: the URI of a directory, prefix or file, such as"
                  + " s3a://bucket/customers/ or alluxio://master:19998/s3/bucket/customers. Holds"
                  + " no credentials.");

  public static final ConfigOption<String> FORMAT =
      key("format")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "How rows stand in the files. The options of a format begin with its name, such as"
                  + " text.field-delimiter.");

  public static final ConfigOption<String> NAME =
      key("leat.name")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "Names the dimension in logs, metrics and in the paths of its indexes. By default the"
                  + " table's catalog, database and name, joined by points.");

  public static final ConfigOption<Duration> REFRESH_INTERVAL =
      key("leat.refresh-interval")
          .durationType()
          .defaultValue(Duration.ofMinutes(5))
          .withDescription(
              "The time between two looks at the source for a new version. 0 looks once, at"
                  + " start.");

  public static final ConfigOption<String> REFRESH_SCHEDULE =
      key("leat.refresh-schedule")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "Looks at the source at these times instead of at an interval: a cron expression of five"
                  + " fields, minute, hour, day of the month, month, day of the week, such as 30 3 * *"
                  + " MON-FRI.");

  public static final ConfigOption<String> REFRESH_TIME_ZONE =
      key("leat.refresh-time-zone")
          .stringType()
          .defaultValue("UTC")
          .withDescription(
              "The time zone of leat.refresh-schedule and leat.refresh-black-outs, such as"
                  + " Europe/Berlin.");

  public static final ConfigOption<List<String>> REFRESH_BLACK_OUTS =
      key("leat.refresh-black-outs")
          .stringType()
          .asList()
          .noDefaultValue()
          .withDescription(
              "Recurring windows in which the source is left alone, each a cron expression of their"
                  + " beginning and how long they last, such as 0 22 * * MON-FRI for 3 h; several are"
                  + " separated by ;. A look that falls into one is made when it ends.");

  public static final ConfigOption<Duration> REFRESH_SPREAD =
      key("leat.refresh-spread")
          .durationType()
          .noDefaultValue()
          .withDescription(
              "Makes each look later by a time at random, at most by this one, so that jobs with the"
                  + " same schedule do not look all at once.");

  public static final ConfigOption<Long> MIN_ROWS =
      key("leat.min-rows")
          .longType()
          .defaultValue(0L)
          .withDescription(
              "Holds back versions that have fewer rows: the one before goes on serving"
                  + " (docs/operations.md); the first version fails the job.");

  public static final ConfigOption<Double> MAX_SHRINK =
      key("leat.max-shrink")
          .doubleType()
          .noDefaultValue()
          .withDescription(
              "Holds back versions that lack more than this share of the rows which the version before"
                  + " them had, from 0 (no row less) to 1 (however many). By default only those that have"
                  + " none left.");

  public static final ConfigOption<Integer> KEEP_VERSIONS =
      key("leat.keep-versions")
          .intType()
          .defaultValue(3)
          .withDescription(
              "How many of the newest versions are kept on the local disk and in caches, the served one"
                  + " included.");

  public static final ConfigOption<Duration> KEEP_VERSIONS_FOR =
      key("leat.keep-versions-for")
          .durationType()
          .defaultValue(Duration.ofHours(1))
          .withDescription(
              "For how long a version is kept after the source was last seen to have it, however many"
                  + " there are. On the local disk as far as its budget goes.");

  public static final ConfigOption<Double> SOURCE_REQUESTS_PER_SECOND =
      key("leat.source-requests-per-second")
          .doubleType()
          .noDefaultValue()
          .withDescription(
              "How many requests a second each TaskManager sends to the source, each attempt of its own."
                  + " By default as many as come.");

  public static final ConfigOption<String> SUCCESS_FILE =
      key("leat.success-file")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "The name of a file, such as _SUCCESS, that marks a partition as complete, or the table"
                  + " where it is not partitioned. What is not marked is not read.");

  public static final ConfigOption<Duration> MAX_STALENESS =
      key("leat.max-staleness")
          .durationType()
          .noDefaultValue()
          .withDescription(
              "The job fails when the served version could not be shown to be current for so long."
                  + " By default the last good version is served for as long as it takes.");

  public static final ConfigOption<Long> MALFORMED_ROWS_MAX_ROWS =
      key("leat.malformed-rows.max-rows")
          .longType()
          .noDefaultValue()
          .withDescription(
              "How many rows that cannot be read may be skipped in one version; a version with more"
                  + " is refused. By default as many as the share allows. A scan holds each part of"
                  + " a file to it.");

  public static final ConfigOption<Double> MALFORMED_ROWS_MAX_SHARE =
      key("leat.malformed-rows.max-share")
          .doubleType()
          .defaultValue(MalformedRows.DEFAULT_SHARE)
          .withDescription(
              "The largest share of rows that cannot be read, from 0 (none is skipped) to 1. A scan"
                  + " holds each part of a file to it in which it allows ten rows or more.");

  public static final ConfigOption<List<String>> CACHE_TIERS =
      key("leat.cache-tiers")
          .stringType()
          .asList()
          .noDefaultValue()
          .withDescription(
              "The caches between the job and the source beside the local disk, the nearest first,"
                  + " such as alluxio. By default the one that the path is in, if any. The options"
                  + " of a tier begin with leat. and its name.");

  public static final ConfigOption<String> LOCAL_DISK_DIRECTORY =
      key("leat.local-disk.directory")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "The directory of each host in which indexes are kept. By default leat below the"
                  + " TaskManager's first temporary directory.");

  public static final ConfigOption<MemorySize> LOCAL_DISK_BUDGET =
      key("leat.local-disk.budget")
          .memoryType()
          .defaultValue(MemorySize.ofMebiBytes(64 << 10))
          .withDescription("The bound on the bytes of all indexes in that directory.");

  public static final ConfigOption<IndexColumns> INDEX_COLUMNS =
      key("leat.index-columns")
          .enumType(IndexColumns.class)
          .defaultValue(IndexColumns.QUERY)
          .withDescription(
              "Which columns an index holds: those that the query uses, or all of the table, so"
                  + " that queries with the same key share one index.");

  public static final ConfigOption<Boolean> LOOKUP_ASYNC =
      key("lookup.async")
          .booleanType()
          .defaultValue(false)
          .withDescription(
              "Offers an asynchronous lookup too, which Flink then prefers; a LOOKUP hint decides"
                  + " for one query. Costs more than a synchronous one, since a lookup in an index"
                  + " that is mapped into memory completes at once; of use with a retry on a"
                  + " miss.");

  /** As {@link LookupOptions#CACHE_TYPE}, without its default. */
  public static final ConfigOption<LookupOptions.LookupCacheType> CACHE =
      key(LookupOptions.CACHE_TYPE.key())
          .enumType(LookupOptions.LookupCacheType.class)
          .noDefaultValue()
          .withDescription(
              "FULL says what is always done: the whole table can be looked up. PARTIAL is taken to"
                  + " mean the same, with expire-after-write as the refresh interval. NONE is"
                  + " refused, since no single row of a file can be asked for.");

  public static final ConfigOption<LookupOptions.ReloadStrategy> RELOAD_STRATEGY =
      key(LookupOptions.FULL_CACHE_RELOAD_STRATEGY.key())
          .enumType(LookupOptions.ReloadStrategy.class)
          .noDefaultValue()
          .withDescription(
              "PERIODIC, or TIMED: looks once a day, or every few days, at a time of the day.");

  /** As {@link LookupOptions#FULL_CACHE_TIMED_RELOAD_ISO_TIME}. */
  public static final ConfigOption<String> TIMED_RELOAD_ISO_TIME =
      key(LookupOptions.FULL_CACHE_TIMED_RELOAD_ISO_TIME.key())
          .stringType()
          .noDefaultValue()
          .withDescription(
              "With TIMED: when to look, such as 03:30, 03:30Z or 03:30+02:00. A time without an offset"
                  + " is one of leat.refresh-time-zone if that is given, else of the time zone of the JVM"
                  + " that plans the query.");

  /** As {@link LookupOptions#FULL_CACHE_TIMED_RELOAD_INTERVAL_IN_DAYS}. */
  public static final ConfigOption<Integer> TIMED_RELOAD_INTERVAL_IN_DAYS =
      key(LookupOptions.FULL_CACHE_TIMED_RELOAD_INTERVAL_IN_DAYS.key())
          .intType()
          .defaultValue(1)
          .withDescription(
              "With TIMED: after how many days to look again, counted from 1970-01-01 so that a restart"
                  + " does not move the days.");

  public static final ConfigOption<Duration> PERIODIC_RELOAD_INTERVAL =
      key(LookupOptions.FULL_CACHE_PERIODIC_RELOAD_INTERVAL.key())
          .durationType()
          .noDefaultValue()
          .withDescription("Flink's name for leat.refresh-interval.");

  public static final ConfigOption<Duration> PARTIAL_EXPIRE_AFTER_WRITE =
      key(LookupOptions.PARTIAL_CACHE_EXPIRE_AFTER_WRITE.key())
          .durationType()
          .noDefaultValue()
          .withDescription("How old a row may be: means leat.refresh-interval.");

  public static final ConfigOption<Integer> MAX_RETRIES =
      key(LookupOptions.MAX_RETRIES.key())
          .intType()
          .noDefaultValue()
          .withDescription(
              "At least 1, and no more is done for a greater number: a lookup asks no store, so it"
                  + " fails only where a block of the index is damaged, and is then tried again"
                  + " once that version has been replaced. 0 is refused.");

  public static final ConfigOption<Duration> JOIN_CACHE_TTL =
      key("lookup.join.cache.ttl")
          .durationType()
          .noDefaultValue()
          .withDescription("The Hive connector's name for leat.refresh-interval.");

  public static final ConfigOption<Boolean> STREAMING_SOURCE_ENABLE =
      key("streaming-source.enable")
          .booleanType()
          .noDefaultValue()
          .withDescription(
              "Of the Hive connector, which needs it for partition.include = latest; not needed"
                  + " here.");

  public static final ConfigOption<PartitionInclude> PARTITION_INCLUDE =
      key("streaming-source.partition.include")
          .enumType(PartitionInclude.class)
          .defaultValue(PartitionInclude.ALL)
          .withDescription("Which partitions are read: all, or the latest one.");

  public static final ConfigOption<PartitionOrder> PARTITION_ORDER =
      key("streaming-source.partition-order")
          .enumType(PartitionOrder.class)
          .defaultValue(PartitionOrder.PARTITION_NAME)
          .withDescription("Which partition is the latest one.");

  public static final ConfigOption<String> PARTITION_TIME_PATTERN =
      key("partition.time-extractor.timestamp-pattern")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "With the order partition-time: how the values of a partition make a time"
                  + " yyyy-MM-dd or yyyy-MM-dd HH:mm:ss, such as $year-$month-$day $hour:00:00. By"
                  + " default the first of them is the time.");

  public static final ConfigOption<Duration> MONITOR_INTERVAL =
      key("streaming-source.monitor-interval")
          .durationType()
          .noDefaultValue()
          .withDescription("The Hive connector's name for leat.refresh-interval with latest.");

  private LeatOptions() {}

  /** Those that every table needs. */
  static Set<ConfigOption<?>> required() {
    return orderedSet(PATH, FORMAT);
  }

  /** All others, in the order of the documentation. */
  static Set<ConfigOption<?>> optional() {
    return orderedSet(
        NAME,
        REFRESH_INTERVAL,
        REFRESH_SCHEDULE,
        REFRESH_TIME_ZONE,
        REFRESH_BLACK_OUTS,
        REFRESH_SPREAD,
        SUCCESS_FILE,
        MIN_ROWS,
        MAX_SHRINK,
        KEEP_VERSIONS,
        KEEP_VERSIONS_FOR,
        SOURCE_REQUESTS_PER_SECOND,
        MAX_STALENESS,
        MALFORMED_ROWS_MAX_SHARE,
        MALFORMED_ROWS_MAX_ROWS,
        CACHE_TIERS,
        LOCAL_DISK_DIRECTORY,
        LOCAL_DISK_BUDGET,
        INDEX_COLUMNS,
        LOOKUP_ASYNC,
        CACHE,
        RELOAD_STRATEGY,
        PERIODIC_RELOAD_INTERVAL,
        TIMED_RELOAD_ISO_TIME,
        TIMED_RELOAD_INTERVAL_IN_DAYS,
        PARTIAL_EXPIRE_AFTER_WRITE,
        LookupOptions.PARTIAL_CACHE_EXPIRE_AFTER_ACCESS,
        LookupOptions.PARTIAL_CACHE_MAX_ROWS,
        LookupOptions.PARTIAL_CACHE_CACHE_MISSING_KEY,
        MAX_RETRIES,
        JOIN_CACHE_TTL,
        STREAMING_SOURCE_ENABLE,
        PARTITION_INCLUDE,
        PARTITION_ORDER,
        PARTITION_TIME_PATTERN,
        MONITOR_INTERVAL);
  }

  private static Set<ConfigOption<?>> orderedSet(ConfigOption<?>... options) {
    return new LinkedHashSet<>(List.of(options));
  }
}
