package dev.leat.samples.streamedge.show;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The metrics that the join reports to Flink, read as a monitoring system would: through Flink's
 * REST interface.
 */
final class JobMetrics {
  private static final String JOIN = "customers.leat.customers.";
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final List<String> TIERS = List.of("local-disk", "alluxio", "source");

  /**
   * What one tier did.
   *
   * @param hits files or indexes that it served
   * @param misses those that it did not have
   * @param fallbacks times that the next tier had to serve because this one failed
   * @param bytes bytes read from it
   * @param health closed where it is in use, open where it is left alone, half-open where it is
   *     tried again
   */
  record Tier(String name, long hits, long misses, long fallbacks, long bytes, String health) {}

  /**
   * How the join stands.
   *
   * @param hits events whose customer was found in the mapped index
   * @param misses events whose customer the table does not have
   * @param nullKeys events without a customer
   * @param rows rows of the served index
   * @param indexBytes its size
   * @param loads versions that were brought in so far
   * @param loadMillis how long the latest took
   * @param restarts how often the job was restarted
   */
  record Snapshot(
      long hits,
      long misses,
      long nullKeys,
      long rows,
      long indexBytes,
      long loads,
      long loadMillis,
      long restarts,
      List<Tier> tiers) {}

  private final ObjectMapper mapper = new ObjectMapper();
  private final HttpClient http = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
  private final String job;

  JobMetrics(int restPort, String jobId) {
    this.job = "http://localhost:" + restPort + "/jobs/" + jobId;
  }

  /** Reads them now; zeros before the job has reported any. */
  Snapshot read() throws IOException, InterruptedException {
    Map<String, Long> sums = new LinkedHashMap<>();
    Map<String, Long> highest = new LinkedHashMap<>();
    String metrics = job + "/vertices/" + vertexOfTheJoin() + "/subtasks/metrics";
    List<String> names = new ArrayList<>();
    for (JsonNode metric : get(metrics)) {
      String name = metric.path("id").asText();
      if (name.startsWith(JOIN)) {
        names.add(name);
      }
    }
    if (!names.isEmpty()) {
      for (JsonNode metric : get(metrics + "?get=" + encoded(String.join(",", names)))) {
        String name = metric.path("id").asText().substring(JOIN.length());
        sums.put(name, metric.path("sum").asLong());
        highest.put(name, metric.path("max").asLong());
      }
    }
    List<Tier> tiers = new ArrayList<>();
    for (String tier : TIERS) {
      String prefix = "tier." + tier + ".";
      if (highest.containsKey(prefix + "hits")) {
        tiers.add(
            new Tier(
                tier,
                highest.getOrDefault(prefix + "hits", 0L),
                highest.getOrDefault(prefix + "misses", 0L),
                highest.getOrDefault(prefix + "fallbacks", 0L),
                highest.getOrDefault(prefix + "bytes", 0L),
                health(highest.getOrDefault(prefix + "breakerState", 0L))));
      }
    }
    // Counters are each subtask's own; gauges tell of the index that all subtasks share.
    return new Snapshot(
        sums.getOrDefault("cache.hitCount", 0L),
        sums.getOrDefault("cache.missCount", 0L),
        sums.getOrDefault("nullKeyCount", 0L),
        highest.getOrDefault("cache.numCachedRecords", 0L),
        highest.getOrDefault("cache.numCachedBytes", 0L),
        highest.getOrDefault("cache.loadCount", 0L),
        highest.getOrDefault("cache.latestLoadTime", 0L),
        restarts(),
        List.copyOf(tiers));
  }

  private long restarts() throws IOException, InterruptedException {
    JsonNode metrics = get(job + "/metrics?get=numRestarts");
    return metrics.isEmpty() ? 0 : metrics.get(0).path("value").asLong();
  }

  private String vertexOfTheJoin() throws IOException, InterruptedException {
    for (JsonNode vertex : get(job).path("vertices")) {
      if (vertex.path("name").asText().contains("customers")) {
        return vertex.path("id").asText();
      }
    }
    throw new IllegalStateException("the job " + job + " has no vertex with the join of customers");
  }

  private static String health(long state) {
    return state == 0 ? "in use" : state == 1 ? "left alone" : "tried again";
  }

  private JsonNode get(String uri) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(uri)).timeout(PATIENCE).build();
    HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() != 200) {
      throw new IOException("Flink answers " + response.statusCode() + " to " + uri);
    }
    return mapper.readTree(response.body());
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
