package dev.leat.testserver.kafka;

import dev.leat.testserver.ChildProcess;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.test.KafkaClusterTestKit;
import org.apache.kafka.common.test.TestKitNodes;

/**
 * Runs a Kafka broker that is its own controller until standard input ends. Topics are made by
 * command only; all data is gone at the end.
 *
 * <p>Commands: {@code create-topic name partitions}, {@code delete-topic name}.
 */
public final class KafkaServer {

  private KafkaServer() {}

  /**
   * Starts the server.
   *
   * @param args settings of the broker as {@code key=value} pairs
   * @throws Exception if it does not start
   */
  public static void main(String... args) throws Exception {
    ChildProcess child = ChildProcess.takeStandardOutput();
    TestKitNodes nodes =
        new TestKitNodes.Builder()
            .setCombined(true)
            .setNumBrokerNodes(1)
            .setNumControllerNodes(1)
            .build();
    KafkaClusterTestKit.Builder builder =
        new KafkaClusterTestKit.Builder(nodes)
            // One node can hold one copy only.
            .setConfigProp("offsets.topic.replication.factor", "1")
            .setConfigProp("offsets.topic.num.partitions", "1")
            .setConfigProp("transaction.state.log.replication.factor", "1")
            .setConfigProp("transaction.state.log.min.isr", "1")
            .setConfigProp("transaction.state.log.num.partitions", "4")
            // A consumer group of a test starts at once.
            .setConfigProp("group.initial.rebalance.delay.ms", "0")
            .setConfigProp("auto.create.topics.enable", "false");
    ChildProcess.arguments(args).forEach(builder::setConfigProp);
    try (KafkaClusterTestKit cluster = builder.build()) {
      cluster.format();
      cluster.startup();
      cluster.waitForReadyBrokers();
      String bootstrap = cluster.bootstrapServers();
      try (Admin admin =
          Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap))) {
        String logs =
            nodes.brokerNodes().values().iterator().next().logDataDirectories().iterator().next();
        child.ready(Map.of("bootstrap", bootstrap, "logs", logs));
        child.serveUntilInputEnds(line -> run(line, admin));
      }
    }
    System.exit(0); // whatever threads the server's libraries have left
  }

  private static String run(String line, Admin admin) throws Exception {
    String[] words = line.split(" ", -1);
    switch (words[0]) {
      case "create-topic" -> {
        int partitions = Integer.parseInt(words[2]);
        admin
            .createTopics(
                List.of(new NewTopic(words[1], Optional.of(partitions), Optional.empty())))
            .all()
            .get();
        return "";
      }
      case "delete-topic" -> {
        admin.deleteTopics(List.of(words[1])).all().get();
        return "";
      }
      default -> throw new IllegalArgumentException("no command '" + words[0] + "'");
    }
  }
}
