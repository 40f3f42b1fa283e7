package dev.leat.testserver;

import java.nio.file.Path;
import java.util.regex.Pattern;

/** A real Kafka broker. It has no topics at first, and makes none by itself. */
public final class RealKafka implements AutoCloseable {

  /** What Kafka itself allows. */
  private static final Pattern TOPIC = Pattern.compile("[a-zA-Z0-9._-]{1,249}");

  private final TestServer server;

  private RealKafka(TestServer server) {
    this.server = server;
  }

  /**
   * Starts a broker.
   *
   * @return the running broker
   */
  public static RealKafka start() {
    return new RealKafka(TestServer.of(ServerKind.KAFKA).start());
  }

  /**
   * Where it listens.
   *
   * @return the value of {@code bootstrap.servers}
   */
  public String bootstrapServers() {
    return server.property("bootstrap");
  }

  /**
   * Makes a topic.
   *
   * @param name its name
   * @param partitions the number of its partitions
   * @throws IllegalStateException if it exists, or the broker fails
   */
  public void createTopic(String name, int partitions) {
    if (!TOPIC.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "'" + name + "' is no name of a topic; use letters, digits, '.', '_' and '-'");
    }
    if (partitions < 1) {
      throw new IllegalArgumentException(
          "a topic of " + partitions + " partitions holds nothing; use at least 1");
    }
    server.run("create-topic " + name + " " + partitions);
  }

  /**
   * Deletes a topic with all its records.
   *
   * @param name its name
   */
  public void deleteTopic(String name) {
    server.run("delete-topic " + name);
  }

  /**
   * Where the segments of a partition are, as the broker writes them.
   *
   * @param topic the topic
   * @param partition the partition's number
   * @return the directory
   */
  public Path segments(String topic, int partition) {
    return Path.of(server.property("logs"), topic + "-" + partition);
  }

  /**
   * Where the broker's log is.
   *
   * @return the file
   */
  public Path log() {
    return server.log();
  }

  @Override
  public void close() {
    server.close();
  }
}
