package dev.leat.testserver;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.FileNotFoundException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;

/** The jobs of a {@link RealFlink}, over the JobManager's REST API, as {@code flink run} has it. */
public final class FlinkJobs {

  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient client;
  private final URI rest;

  FlinkJobs(HttpClient client, URI rest) {
    this.client = client;
    this.rest = rest;
  }

  /**
   * Hands a job's jar to the JobManager.
   *
   * @param jar the jar
   * @return what the JobManager calls it
   */
  public String upload(Path jar) {
    String boundary = UUID.randomUUID().toString();
    String head =
        "--"
            + boundary
            + "\r\nContent-Disposition: form-data; name=\"jarfile\"; filename=\""
            + jar.getFileName()
            + "\"\r\nContent-Type: application/x-java-archive\r\n\r\n";
    try {
      JsonNode answer =
          send(
              HttpRequest.newBuilder(rest.resolve("/jars/upload"))
                  .header("Content-Type", "multipart/form-data; boundary=" + boundary)
                  .timeout(PATIENCE)
                  .POST(
                      BodyPublishers.concat(
                          BodyPublishers.ofString(head),
                          BodyPublishers.ofFile(jar),
                          BodyPublishers.ofString("\r\n--" + boundary + "--\r\n")))
                  .build());
      String path = answer.required("filename").asText();
      return path.substring(path.lastIndexOf('/') + 1);
    } catch (FileNotFoundException e) {
      throw new IllegalArgumentException("There is no jar " + jar + "; build it first", e);
    }
  }

  /**
   * Starts a job.
   *
   * @param job what to run
   * @return the job's id
   */
  public String run(FlinkJob job) {
    ObjectNode body = JSON.createObjectNode();
    body.put("entryClass", job.mainClass());
    body.set("programArgsList", JSON.valueToTree(job.arguments()));
    body.put("parallelism", job.parallelism());
    body.set("flinkConfiguration", JSON.valueToTree(job.options()));
    job.checkpoint().ifPresent(path -> body.put("savepointPath", path.toUri().toString()));
    return send(HttpRequest.newBuilder(rest.resolve("/jars/" + job.jar() + "/run"))
            .header("Content-Type", "application/json")
            .timeout(PATIENCE)
            .POST(BodyPublishers.ofString(body.toString()))
            .build())
        .required("jobid")
        .asText();
  }

  /**
   * Whether all tasks of a job run.
   *
   * @param job its id
   * @return whether they do
   */
  public boolean isRunning(String job) {
    JsonNode answer = get("/jobs/" + job);
    boolean running = answer.path("state").asText().equals("RUNNING");
    for (JsonNode vertex : answer.path("vertices")) {
      running &= vertex.path("status").asText().equals("RUNNING");
    }
    return running;
  }

  /**
   * The state of a job.
   *
   * @param job its id
   * @return for example {@code RUNNING}
   */
  public String state(String job) {
    return get("/jobs/" + job).path("state").asText();
  }

  /**
   * How many checkpoints of a job have completed since it was submitted.
   *
   * @param job its id
   * @return the number
   */
  public int completedCheckpoints(String job) {
    return get("/jobs/" + job + "/checkpoints").path("counts").path("completed").asInt();
  }

  /**
   * How many checkpoints of a job have begun and not ended.
   *
   * @param job its id
   * @return the number
   */
  public int checkpointsInProgress(String job) {
    return get("/jobs/" + job + "/checkpoints").path("counts").path("in_progress").asInt();
  }

  /**
   * How often a job has restarted from a checkpoint.
   *
   * @param job its id
   * @return the number
   */
  public int restores(String job) {
    return get("/jobs/" + job + "/checkpoints").path("counts").path("restored").asInt();
  }

  /**
   * Begins to cancel a job.
   *
   * @param job its id
   */
  public void cancel(String job) {
    send(
        HttpRequest.newBuilder(rest.resolve("/jobs/" + job + "?mode=cancel"))
            .timeout(PATIENCE)
            .method("PATCH", BodyPublishers.noBody())
            .build());
  }

  private JsonNode get(String path) {
    return send(SqlGatewaySession.get(rest.resolve(path)));
  }

  private JsonNode send(HttpRequest request) {
    return SqlGatewaySession.send(client, request);
  }
}
