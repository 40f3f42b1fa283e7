package dev.leat.samples.streamedge.show;

import dev.leat.LocalDisk;
import dev.leat.Refresh;
import dev.leat.flink.Enrichment;
import dev.leat.s3.S3;
import dev.leat.samples.streamedge.StreamEdgeArguments;
import dev.leat.samples.streamedge.StreamEdgeJob;
import dev.leat.samples.streamedge.show.Lookup.FoundRow;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.streaming.api.datastream.DataStream;

/**
 * How long a join keeps an event, measured for three ways to find the row.
 *
 * @param s3 by a positioned read from S3
 * @param alluxio by a positioned read from Alluxio, which has the file in its cache
 * @param index in the mapped index
 */
record LookupCosts(Latencies s3, Latencies alluxio, Latencies index) {
  private static final int POINT_READS = 1_500;
  private static final int INDEX_LOOKUPS = 300_000;

  static LookupCosts measure(
      StreamEdgeArguments arguments, List<Lookup> lookups, List<URI> filesInS3, Path temporaryFiles)
      throws Exception {
    LatencyProbe probe = new LatencyProbe(lookups, temporaryFiles);
    List<URI> filesInAlluxio =
        filesInS3.stream()
            .map(file -> URI.create(arguments.alluxio() + arguments.alluxioPath() + file.getPath()))
            .toList();
    return new LookupCosts(
        probe.measure(
            "point reads from S3",
            POINT_READS,
            started -> pointReads(started, arguments, filesInS3)),
        probe.measure(
            "point reads from Alluxio",
            POINT_READS,
            started -> pointReads(started, arguments, filesInAlluxio)),
        probe.measure("the index", INDEX_LOOKUPS, started -> index(started, arguments)));
  }

  private static DataStream<FoundRow> pointReads(
      DataStream<Lookup> started, StreamEdgeArguments arguments, List<URI> files) {
    S3 s3 = StreamEdgeJob.s3(arguments);
    URI first = files.get(0);
    return started.map(new PointRead(() -> CustomerBucket.openStore(first, s3), files));
  }

  private static DataStream<FoundRow> index(
      DataStream<Lookup> started, StreamEdgeArguments arguments) {
    return Enrichment.from(started)
        .join(StreamEdgeJob.customers(arguments))
        .on(Lookup::customerId)
        .cachedIn(LocalDisk.at(arguments.localDisk()), StreamEdgeJob.alluxio(arguments))
        .refresh(Refresh.every(arguments.refreshInterval()))
        .combine((lookup, customer) -> lookup.found(customer.customerId()), FoundRow.class);
  }

  /** As a table for the console. */
  List<List<String>> table() {
    return List.of(
        List.of("the row is found", "events", "p50", "p99"),
        row("by a positioned read from S3", s3),
        row("by a positioned read from Alluxio (cached)", alluxio),
        row("in the index", index));
  }

  private static List<String> row(String name, Latencies latencies) {
    return List.of(
        name,
        Integer.toString(latencies.count()),
        Latencies.text(latencies.micros(0.5)),
        Latencies.text(latencies.micros(0.99)));
  }
}
