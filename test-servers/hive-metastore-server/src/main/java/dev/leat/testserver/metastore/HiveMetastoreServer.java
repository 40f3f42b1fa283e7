package dev.leat.testserver.metastore;

import dev.leat.testserver.ChildProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.metastore.HiveMetaStore;
import org.apache.hadoop.hive.metastore.HiveMetaStoreClient;
import org.apache.hadoop.hive.metastore.api.MetaException;
import org.apache.hadoop.hive.metastore.conf.MetastoreConf;
import org.apache.hadoop.hive.metastore.conf.MetastoreConf.ConfVars;

/**
 * Runs Hive's metastore on a database in memory until standard input ends. Tables are made by
 * commands, which Hive's own client in this process sends over thrift.
 *
 * <p>Arguments: properties of the metastore as {@code key=value} pairs.
 *
 * <p>Commands: those of {@link Definitions}; {@code shut}, after which nobody answers at the port;
 * {@code open}, which undoes that; {@code connections}, the number of connections to the port so
 * far.
 */
public final class HiveMetastoreServer {

  private static final Duration PATIENCE = Duration.ofMinutes(4);

  /** So that tables are kept as they are given, transactional ones too. */
  private static final String[] CAPABILITIES = {
    "MANAGERAWMETADATA",
    "HIVEFULLACIDWRITE",
    "HIVEMANAGEDINSERTWRITE",
    "HIVEMANAGESTATS",
    "HIVECACHEINVALIDATE",
    "CONNECTORWRITE"
  };

  private HiveMetastoreServer() {}

  /**
   * Starts the server.
   *
   * @param args {@code key=value} pairs
   * @throws Exception if it does not start
   */
  public static void main(String... args) throws Exception {
    ChildProcess child = ChildProcess.takeStandardOutput();
    Path warehouse = Files.createTempDirectory("leat-warehouse-");
    int port = freePort();
    Configuration conf = configuration(port, warehouse);
    ChildProcess.arguments(args).forEach(conf::set);
    start(port, conf);
    Gate gate = new Gate(port);
    try (HiveMetaStoreClient client = connect(conf)) {
      HiveMetaStoreClient.setProcessorIdentifier("leat-test-server");
      HiveMetaStoreClient.setProcessorCapabilities(CAPABILITIES);
      Definitions definitions = new Definitions(client);
      gate.open();
      child.ready(Map.of("port", Integer.toString(gate.port())));
      child.serveUntilInputEnds(line -> run(line, definitions, gate));
    }
    Files.deleteIfExists(warehouse);
    System.exit(0); // the metastore's threads never end by themselves
  }

  private static Configuration configuration(int port, Path warehouse) {
    Configuration conf = MetastoreConf.newMetastoreConf();
    MetastoreConf.setVar(conf, ConfVars.CONNECT_URL_KEY, "jdbc:derby:memory:metastore;create=true");
    MetastoreConf.setBoolVar(conf, ConfVars.AUTO_CREATE_ALL, true);
    MetastoreConf.setBoolVar(conf, ConfVars.SCHEMA_VERIFICATION, false);
    MetastoreConf.setBoolVar(conf, ConfVars.STATS_AUTO_GATHER, false);
    MetastoreConf.setVar(conf, ConfVars.WAREHOUSE, warehouse.toUri().toString());
    MetastoreConf.setVar(conf, ConfVars.WAREHOUSE_EXTERNAL, warehouse.toUri().toString());
    MetastoreConf.setVar(conf, ConfVars.THRIFT_URIS, "thrift://127.0.0.1:" + port);
    MetastoreConf.setVar(conf, ConfVars.THRIFT_BIND_HOST, "127.0.0.1");
    for (String scheme : new String[] {"s3a", "s3", "s3n", "alluxio", "hdfs"}) {
      conf.setClass(
          "fs." + scheme + ".impl", AnyDirectory.class, org.apache.hadoop.fs.FileSystem.class);
    }
    return conf;
  }

  private static void start(int port, Configuration conf) {
    Thread server =
        new Thread(
            () -> {
              try {
                HiveMetaStore.startMetaStore(port, null, conf);
              } catch (Throwable e) {
                e.printStackTrace();
                System.exit(1); // or the parent would wait for a server that never comes
              }
            },
            "metastore");
    server.setDaemon(true);
    server.start();
  }

  private static HiveMetaStoreClient connect(Configuration conf)
      throws MetaException, InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        return new HiveMetaStoreClient(conf);
      } catch (MetaException e) {
        if (System.nanoTime() > deadline) {
          throw e;
        }
      }
      // A latch that nobody opens: there is nothing else to wait for.
      boolean opened = new CountDownLatch(1).await(100, TimeUnit.MILLISECONDS);
      assert !opened;
    }
  }

  private static String run(String line, Definitions definitions, Gate gate) throws Exception {
    switch (line) {
      case "shut" -> {
        gate.shut();
        return "";
      }
      case "open" -> {
        gate.open();
        return "";
      }
      case "connections" -> {
        return Long.toString(gate.connections());
      }
      default -> {
        return definitions.run(line);
      }
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
