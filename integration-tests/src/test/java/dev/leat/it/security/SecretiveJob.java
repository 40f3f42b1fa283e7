package dev.leat.it.security;

import dev.leat.Dimension;
import dev.leat.LocalDisk;
import dev.leat.Refresh;
import dev.leat.Staleness;
import dev.leat.alluxio.Alluxio;
import dev.leat.flink.Enrichment;
import dev.leat.format.DelimitedText;
import dev.leat.internal.engine.ServiceEnvironment;
import dev.leat.s3.S3;
import dev.leat.spi.StoreContext;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.jobgraph.JobVertex;
import org.apache.flink.runtime.testutils.InMemoryReporter;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.CloseableIterator;
import org.apache.flink.util.InstantiationUtil;

/**
 * A job that joins with a table in S3, in a process of its own. Its log goes to the standard error,
 * and what it ships, shows and measures into files.
 */
final class SecretiveJob {

  /** A row of the table. */
  record Customer(String id, String name) {}

  private SecretiveJob() {}

  /**
   * Expects a directory for everything that it writes, the endpoint, Hadoop's credential provider
   * path or {@code -}, and keys and values of Flink's configuration.
   */
  public static void main(String[] args) throws Exception {
    Path out = Path.of(args[0]);
    S3 settings = S3.settings().endpoint(args[1]).region("us-east-1").pathStyleAccess();
    if (!args[2].equals("-")) {
      settings = settings.credentialProviderPath(args[2]);
    }
    Configuration configuration = new Configuration();
    for (int i = 3; i < args.length; i += 2) {
      configuration.setString(args[i], args[i + 1]);
    }
    configuration.setString("io.tmp.dirs", Files.createDirectories(out.resolve("tmp")).toString());
    configuration.setString("restart-strategy.type", "none");
    InMemoryReporter metrics = InMemoryReporter.createWithRetainedMetrics();
    metrics.addToConfiguration(configuration);
    Dimension<String, Customer> dimension =
        Dimension.named("customers")
            .at("s3a://lake/customers/", settings)
            .rows(Customer.class, DelimitedText.separatedBy('|').columns("id", "name"))
            .keyedBy(String.class, "id");
    LocalDisk disk = LocalDisk.at(out.resolve("disk"));
    Alluxio alluxio = Alluxio.at("alluxio://127.0.0.1:1").mapping("s3a://lake", "/s3/lake");
    Map<String, String> properties = configuration.toMap();
    Files.write(
        out.resolve("shown.txt"),
        List.of(
            dimension.toString(),
            settings.toString(),
            disk.toString(),
            alluxio.toString(),
            Refresh.never().toString(),
            Staleness.serveForever().toString(),
            new StoreContext(properties).toString(),
            new ServiceEnvironment(properties, out, Clock.systemUTC()).toString()));
    Files.write(out.resolve("alluxio.bin"), InstantiationUtil.serializeObject(alluxio));
    Files.write(out.resolve("dimension.bin"), InstantiationUtil.serializeObject(dimension));
    try (StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.createLocalEnvironment(1, configuration)) {
      joined(environment, dimension, disk).print();
      // All of the graph that a job has a say in. What Flink itself puts beside it, the client's
      // whole configuration, is there whatever the job is.
      ByteArrayOutputStream graph = new ByteArrayOutputStream();
      for (JobVertex vertex : environment.getStreamGraph().getJobGraph().getVertices()) {
        graph.writeBytes(InstantiationUtil.serializeObject(vertex.getConfiguration()));
        graph.writeBytes(
            InstantiationUtil.serializeObject(new ArrayList<>(vertex.getOperatorCoordinators())));
        graph.writeBytes(String.valueOf(vertex.getName()).getBytes(StandardCharsets.UTF_8));
      }
      Files.write(out.resolve("job-graph.bin"), graph.toByteArray());
      List<String> rows = new ArrayList<>();
      try (CloseableIterator<String> results =
          joined(environment, dimension, disk).executeAndCollect()) {
        results.forEachRemaining(rows::add);
      }
      System.out.println(String.join(",", rows));
    } finally {
      StringBuilder measured = new StringBuilder();
      metrics
          .getMetricsByGroup()
          .forEach(
              (group, byName) ->
                  byName.forEach(
                      (name, metric) ->
                          measured
                              .append(group.getMetricIdentifier(name))
                              .append(' ')
                              .append(metric)
                              .append('\n')));
      Files.writeString(out.resolve("metrics.txt"), measured, StandardCharsets.UTF_8);
      metrics.close();
    }
  }

  private static DataStream<String> joined(
      StreamExecutionEnvironment environment,
      Dimension<String, Customer> dimension,
      LocalDisk disk) {
    return Enrichment.from(environment.fromData("1", "2", "3"))
        .leftJoin(dimension)
        .on(key -> key)
        .cachedIn(disk)
        .refresh(Refresh.every(Duration.ofMinutes(10)))
        .combine((key, row) -> row.map(Customer::name).orElse("none"), String.class);
  }
}
