package dev.leat.testserver;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A session of Flink's SQL gateway, over its REST API, as any client has one. The gateway's own
 * words come back as they are.
 */
public final class SqlGatewaySession implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient client;
  private final URI root;
  private final URI session;

  private SqlGatewaySession(HttpClient client, URI root, URI session) {
    this.client = client;
    this.root = root;
    this.session = session;
  }

  /**
   * Opens a session.
   *
   * @param gateway where the gateway listens
   * @param apiVersion {@code v1} or {@code v2}
   * @return the open session
   */
  public static SqlGatewaySession open(URI gateway, String apiVersion) {
    HttpClient client = HttpClient.newHttpClient();
    URI sessions = gateway.resolve("/" + apiVersion + "/sessions");
    JsonNode answer = send(client, post(sessions, JSON.createObjectNode()));
    return new SqlGatewaySession(
        client, gateway, URI.create(sessions + "/" + answer.required("sessionHandle").asText()));
  }

  /**
   * Runs a statement to its end.
   *
   * @param statement the SQL, without a semicolon
   * @return all rows of its result
   * @throws GatewayException if the gateway refuses it, or it fails
   */
  public List<GatewayRow> execute(String statement) {
    return fetch(statement, Integer.MAX_VALUE, PATIENCE);
  }

  /**
   * Runs a query that need not end, and ends it as soon as enough has come.
   *
   * @param query the SQL, without a semicolon
   * @param rows the number of rows to wait for
   * @return the rows, as many as were asked for, or fewer if the query ended
   * @throws GatewayException if the gateway refuses it, or it fails, or the rows do not come
   */
  public List<GatewayRow> first(String query, int rows) {
    return fetch(query, rows, PATIENCE);
  }

  /**
   * The result of a statement that answers in one text, as {@code EXPLAIN} and {@code SHOW CREATE
   * TABLE} do.
   *
   * @param statement the SQL, without a semicolon
   * @return the lines
   */
  public String text(String statement) {
    StringBuilder text = new StringBuilder();
    for (GatewayRow row : execute(statement)) {
      text.append(String.join("\t", row.fields())).append('\n');
    }
    return text.toString();
  }

  private List<GatewayRow> fetch(String statement, int atMost, Duration patience) {
    JsonNode submitted =
        send(
            client,
            post(
                URI.create(session + "/statements"),
                JSON.valueToTree(Map.of("statement", statement))));
    String operation = session + "/operations/" + submitted.required("operationHandle").asText();
    List<GatewayRow> rows = new ArrayList<>();
    String next = operation + "/result/0";
    long deadline = System.nanoTime() + patience.toNanos();
    boolean ended = false;
    while (!ended && rows.size() < atMost) {
      if (System.nanoTime() > deadline) {
        close(operation);
        throw new GatewayException(
            "no end after " + patience + ", only " + rows + " of: " + statement);
      }
      JsonNode page = send(client, get(URI.create(next)));
      for (JsonNode row : page.path("results").path("data")) {
        rows.add(row(row));
      }
      String type = page.path("resultType").asText();
      ended = type.equals("EOS");
      JsonNode following = page.path("nextResultUri");
      if (following.isTextual()) {
        next = root.resolve(following.asText()).toString();
      }
      if (type.equals("NOT_READY") || page.path("results").path("data").isEmpty()) {
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
    close(operation);
    return rows.size() > atMost ? rows.subList(0, atMost) : rows;
  }

  /** Ends the query's job too, if it still runs. */
  private void close(String operation) {
    send(client, HttpRequest.newBuilder(URI.create(operation + "/close")).DELETE().build());
  }

  private static GatewayRow row(JsonNode row) {
    List<@Nullable String> fields = new ArrayList<>();
    for (JsonNode field : row.path("fields")) {
      fields.add(field.isNull() ? null : field.isValueNode() ? field.asText() : field.toString());
    }
    return new GatewayRow(row.path("kind").asText(), fields);
  }

  @Override
  public void close() {
    send(client, HttpRequest.newBuilder(session).DELETE().build());
  }

  static JsonNode send(HttpClient client, HttpRequest request) {
    try {
      var response = client.send(request, BodyHandlers.ofString());
      JsonNode body = JSON.readTree(response.body().isEmpty() ? "{}" : response.body());
      if (response.statusCode() / 100 != 2) {
        StringBuilder errors = new StringBuilder();
        body.path("errors").forEach(error -> errors.append(error.asText()).append('\n'));
        throw new GatewayException(errors.isEmpty() ? response.body() : errors.toString());
      }
      return body;
    } catch (IOException e) {
      throw new UncheckedIOException("No answer to " + request, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while waiting for " + request, e);
    }
  }

  static HttpRequest get(URI uri) {
    return HttpRequest.newBuilder(uri).timeout(PATIENCE).build();
  }

  private static HttpRequest post(URI uri, JsonNode body) {
    BodyPublisher json = BodyPublishers.ofString(body.toString());
    return HttpRequest.newBuilder(uri)
        .header("Content-Type", "application/json")
        .timeout(PATIENCE)
        .POST(json)
        .build();
  }
}
