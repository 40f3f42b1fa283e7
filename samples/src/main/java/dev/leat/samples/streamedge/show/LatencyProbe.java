package dev.leat.samples.streamedge.show;

import dev.leat.samples.streamedge.show.Lookup.FoundRow;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.flink.api.common.accumulators.ListAccumulator;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichFlatMapFunction;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.Collector;

/**
 * How long a join keeps an event: when the row is read from S3, when it is read from Alluxio, when
 * it is found in the index. Each is a Flink job of the same form,
 *
 * <pre>
 *   customers ──▶ note the time ──▶ join ──▶ note the time again
 * </pre>
 *
 * <p>with all steps chained in one thread, so that the difference is what the join costs the event.
 * The point reads are told where each row stands, which a plain text table does not tell: no cache
 * of file ranges could do better.
 */
final class LatencyProbe {
  private static final Duration AT_MOST = Duration.ofSeconds(8);
  private static final String NANOS = "nanos";

  private final ArrayList<Lookup> lookups;
  private final Path temporaryFiles;

  /** Looks up the given customers, over and over where more events are wanted. */
  LatencyProbe(List<Lookup> lookups, Path temporaryFiles) {
    this.temporaryFiles = temporaryFiles;
    this.lookups = new ArrayList<>(lookups);
  }

  /**
   * Runs the job with the given join, and gives the times of all events but the first tenth, which
   * warms up.
   */
  Latencies measure(
      String name, int events, Function<DataStream<Lookup>, DataStream<FoundRow>> join)
      throws Exception {
    StreamExecutionEnvironment env = LocalFlink.environment(LocalFlink.freePort(), temporaryFiles);
    env.setParallelism(1);
    env.getConfig().enableObjectReuse();
    ArrayList<Lookup> sample = lookups;
    DataStream<Lookup> started =
        env.fromSource(
                new NumberSequenceSource(0, events - 1L),
                WatermarkStrategy.noWatermarks(),
                "customers to look up")
            .flatMap(new Start(sample));
    join.apply(started).map(new Measure()).sinkTo(new DiscardingSink<>());
    List<Long> nanos = env.execute("latency with " + name).getAccumulatorResult(NANOS);
    return Latencies.of(nanos.subList(nanos.size() / 10, nanos.size()));
  }

  /** Notes the time of each lookup. Ends the measurement early where lookups are slow. */
  private static final class Start extends RichFlatMapFunction<Long, Lookup> {
    private static final long serialVersionUID = 1L;

    private final ArrayList<Lookup> sample;
    private transient long end;

    Start(ArrayList<Lookup> sample) {
      this.sample = sample;
    }

    @Override
    public void flatMap(Long number, Collector<Lookup> out) {
      long now = System.nanoTime();
      if (end == 0) {
        end = now + AT_MOST.toNanos();
      }
      if (now < end) {
        out.collect(sample.get((int) (number % sample.size())).startedNow());
      }
    }
  }

  private static final class Measure extends RichMapFunction<FoundRow, Long> {
    private static final long serialVersionUID = 1L;

    private transient ListAccumulator<Long> nanos = new ListAccumulator<>();

    @Override
    public void open(OpenContext context) {
      nanos = new ListAccumulator<>();
      getRuntimeContext().addAccumulator(NANOS, nanos);
    }

    @Override
    public Long map(FoundRow row) {
      long took = System.nanoTime() - row.startedNanos();
      nanos.add(took);
      return took;
    }
  }
}
