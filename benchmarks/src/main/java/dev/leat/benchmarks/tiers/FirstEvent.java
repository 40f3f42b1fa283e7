package dev.leat.benchmarks.tiers;

import dev.leat.Dimension;
import dev.leat.LocalDisk;
import dev.leat.Refresh;
import dev.leat.benchmarks.Medians;
import dev.leat.benchmarks.tiers.TierServers.Customer;
import dev.leat.flink.Enrichment;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/** From the submission of a job to its first event behind the join, and without the join. */
final class FirstEvent {
  private static final AtomicLong FIRST = new AtomicLong();

  private FirstEvent() {}

  /**
   * A job that joins, whose index is on the local disk after the first time; and one that does not.
   */
  static void round(
      TierServers servers,
      Dimension<String, Customer> dimension,
      String customer,
      Path disk,
      Medians target)
      throws Exception {
    target.add("no_join", seconds(servers, events -> events, customer));
    target.add(
        "join",
        seconds(
            servers,
            events ->
                Enrichment.from(events)
                    .join(dimension)
                    .on(key -> key)
                    .cachedIn(LocalDisk.at(disk), servers.tier())
                    .refresh(Refresh.never())
                    .combine((key, row) -> row.countryCode(), String.class),
            customer));
  }

  private interface Step {
    DataStream<String> after(DataStream<String> events);
  }

  private static double seconds(TierServers servers, Step step, String customer) throws Exception {
    try (StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.createLocalEnvironment(
            2, Configuration.fromMap(servers.properties()))) {
      FIRST.set(0);
      DataStream<String> keys =
          environment.fromSequence(0, 1_000).map(number -> customer).returns(String.class);
      step.after(keys)
          .map(
              each -> {
                FIRST.compareAndSet(0, System.nanoTime());
                return each;
              })
          .returns(String.class)
          .sinkTo(new DiscardingSink<>());
      long start = System.nanoTime();
      environment.execute("first event");
      return (FIRST.get() - start) / 1e9;
    }
  }
}
