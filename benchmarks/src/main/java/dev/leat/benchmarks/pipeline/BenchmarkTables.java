package dev.leat.benchmarks.pipeline;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.apache.flink.api.common.io.GenericInputFormat;
import org.apache.flink.api.common.io.NonParallelInput;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.core.io.GenericInputSplit;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.ProviderContext;
import org.apache.flink.table.connector.source.DataStreamScanProvider;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.connector.source.InputFormatProvider;
import org.apache.flink.table.connector.source.LookupTableSource;
import org.apache.flink.table.connector.source.ScanTableSource;
import org.apache.flink.table.connector.source.lookup.FullCachingLookupProvider;
import org.apache.flink.table.connector.source.lookup.LookupFunctionProvider;
import org.apache.flink.table.connector.source.lookup.PartialCachingLookupProvider;
import org.apache.flink.table.connector.source.lookup.cache.DefaultLookupCache;
import org.apache.flink.table.connector.source.lookup.cache.trigger.CacheReloadTrigger;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.binary.BinaryStringData;
import org.apache.flink.table.factories.DynamicTableSourceFactory;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.functions.FunctionContext;
import org.apache.flink.table.functions.LookupFunction;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.logical.RowType;
import org.jspecify.annotations.Nullable;

/**
 * The tables of the SQL jobs: the events, and the reference table behind each of Flink's own ways
 * of looking up.
 */
public final class BenchmarkTables implements DynamicTableSourceFactory {
  static final String IDENTIFIER = "leat-benchmark";

  private static final ConfigOption<Kind> KIND =
      ConfigOptions.key("kind").enumType(Kind.class).noDefaultValue();
  private static final ConfigOption<Long> EVENTS =
      ConfigOptions.key("events").longType().defaultValue(0L);
  private static final ConfigOption<Long> WINDOW =
      ConfigOptions.key("window").longType().defaultValue(0L);

  /** What a table is. */
  enum Kind {
    /** The stream. */
    EVENTS,
    /** A lookup function over a {@code HashMap}, asked for each event. */
    FUNCTION,
    /** The same behind Flink's partial cache, without a bound. */
    PARTIAL,
    /** Flink's full cache. */
    FULL
  }

  @Override
  public DynamicTableSource createDynamicTableSource(Context context) {
    FactoryUtil.TableFactoryHelper helper = FactoryUtil.createTableFactoryHelper(this, context);
    helper.validate();
    ReadableConfig options = helper.getOptions();
    RowType type = (RowType) context.getPhysicalRowDataType().getLogicalType();
    return options.get(KIND) == Kind.EVENTS
        ? new Events(type, options.get(EVENTS), options.get(WINDOW))
        : new Customers(options.get(KIND));
  }

  @Override
  public String factoryIdentifier() {
    return IDENTIFIER;
  }

  @Override
  public Set<ConfigOption<?>> requiredOptions() {
    return Set.of(KIND);
  }

  @Override
  public Set<ConfigOption<?>> optionalOptions() {
    return Set.of(EVENTS, WINDOW);
  }

  private record Events(RowType type, long events, long window) implements ScanTableSource {
    @Override
    public ChangelogMode getChangelogMode() {
      return ChangelogMode.insertOnly();
    }

    @Override
    public ScanRuntimeProvider getScanRuntimeProvider(ScanContext context) {
      return new DataStreamScanProvider() {
        @Override
        public DataStream<RowData> produceDataStream(
            ProviderContext provider, StreamExecutionEnvironment environment) {
          return environment
              .fromSequence(0, events - 1)
              .map(new EventKeys.OfRows(window))
              .returns(InternalTypeInfo.of(type));
        }

        @Override
        public boolean isBounded() {
          return true;
        }
      };
    }

    @Override
    public DynamicTableSource copy() {
      return this;
    }

    @Override
    public String asSummaryString() {
      return "events of a benchmark";
    }
  }

  private record Customers(Kind kind) implements LookupTableSource {
    @Override
    public LookupRuntimeProvider getLookupRuntimeProvider(LookupContext context) {
      int[][] keys = context.getKeys();
      if (keys.length != 1 || keys[0][0] != 0) {
        throw new ValidationException("the benchmark's table is looked up by its first column");
      }
      return switch (kind) {
        case FUNCTION -> LookupFunctionProvider.of(new MapFunction());
        case PARTIAL ->
            PartialCachingLookupProvider.of(
                new MapFunction(),
                DefaultLookupCache.newBuilder()
                    .maximumSize(Long.MAX_VALUE)
                    .expireAfterWrite(Duration.ofDays(1))
                    .build());
        case FULL ->
            FullCachingLookupProvider.of(InputFormatProvider.of(new Rows()), new LoadOnce());
        case EVENTS -> throw new ValidationException("the events cannot be looked up");
      };
    }

    @Override
    public DynamicTableSource copy() {
      return this;
    }

    @Override
    public String asSummaryString() {
      return "customers of a benchmark, " + kind;
    }
  }

  /** Looks up in the map of the table that is open. */
  public static final class MapFunction extends LookupFunction {
    private static final long serialVersionUID = 1L;
    private transient @Nullable PipelineTable table;

    @Override
    public void open(FunctionContext context) {
      table = PipelineTable.current();
    }

    @Override
    public Collection<RowData> lookup(RowData key) {
      String id = key.getString(0).toString();
      PipelineTable.Customer found = requireNonNull(table).map().get(id);
      return found == null
          ? List.of()
          : List.of(
              GenericRowData.of(
                  StringData.fromString(id),
                  StringData.fromString(found.subscriptionTier()),
                  StringData.fromString(found.countryCode()),
                  StringData.fromString(found.accountStatus())));
    }
  }

  /** All rows, each with strings of its own, as a format's deserialiser gives them. */
  private static final class Rows extends GenericInputFormat<RowData> implements NonParallelInput {
    private static final long serialVersionUID = 1L;
    private transient int next;
    private transient int end;

    @Override
    public void open(GenericInputSplit split) throws IOException {
      super.open(split);
      next = 0;
      end = PipelineTable.current().rows();
    }

    @Override
    public boolean reachedEnd() {
      return next == end;
    }

    @Override
    public RowData nextRecord(RowData reuse) {
      int row = next++;
      PipelineTable.Customer customer = PipelineTable.row(row);
      return GenericRowData.of(
          text(PipelineTable.key(row)),
          text(customer.subscriptionTier()),
          text(customer.countryCode()),
          text(customer.accountStatus()));
    }

    private static StringData text(String value) {
      return BinaryStringData.fromBytes(value.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
  }

  private static final class LoadOnce implements CacheReloadTrigger {
    private static final long serialVersionUID = 1L;

    @Override
    public void open(Context context) {
      context.triggerReload().join();
    }

    @Override
    public void close() {}
  }
}
