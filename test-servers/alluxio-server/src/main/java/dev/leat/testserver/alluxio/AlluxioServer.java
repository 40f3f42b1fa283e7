package dev.leat.testserver.alluxio;

import dev.leat.testserver.ChildProcess;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Runs an Alluxio master and a worker until standard input ends.
 *
 * <p>Arguments: {@code mount.<path>=<under-store URI>} for each mount, with {@code s3.endpoint},
 * {@code s3.accessKey} and {@code s3.secretKey} for those on S3; {@code workerBytes} (e.g. {@code
 * 64MB}), the worker's storage; every {@code alluxio.*} property, which overrides what is set here.
 *
 * <p>Commands: {@code stop worker}, {@code start worker}, {@code stop master}, {@code start
 * master}; what is started again has the ports that it had, and the master its journal. {@code free
 * path} drops cached blocks, {@code load path} caches a file, {@code status path} tells what the
 * master knows of a file, {@code truncate bytes} cuts off every cached block behind so many bytes.
 */
public final class AlluxioServer {

  private static final String CACHE = "cache";

  private AlluxioServer() {}

  /**
   * Starts the server.
   *
   * @param args {@code key=value} pairs
   * @throws Exception if it does not start
   */
  public static void main(String... args) throws Exception {
    ChildProcess child = ChildProcess.takeStandardOutput();
    Map<String, String> arguments = ChildProcess.arguments(args);
    Path directory = Files.createTempDirectory("leat-alluxio-");
    Map<String, String> properties = properties(directory, arguments);
    // Alluxio reads its global configuration from the system properties when it is first used.
    properties.forEach(System::setProperty);

    Cluster cluster = new Cluster();
    cluster.format();
    cluster.startMaster();
    cluster.startWorker();
    cluster.mount(arguments);
    child.ready(
        Map.of(
            "masterPort", properties.get("alluxio.master.rpc.port"),
            "workerPort", properties.get("alluxio.worker.rpc.port")));
    child.serveUntilInputEnds(line -> run(line, cluster, directory.resolve(CACHE)));
    cluster.close();
    deleteAll(directory);
    System.exit(0); // whatever threads the server's libraries have left
  }

  private static String run(String line, Cluster cluster, Path cache) throws Exception {
    String[] words = line.split(" ", 2);
    switch (line) {
      case "stop worker" -> cluster.stopWorker();
      case "start worker" -> cluster.startWorker();
      case "stop master" -> cluster.stopMaster();
      case "start master" -> cluster.startMaster();
      default -> {
        return switch (words[0]) {
          case "free" -> cluster.free(words[1]);
          case "load" -> cluster.load(words[1]);
          case "status" -> cluster.status(words[1]);
          case "truncate" -> truncate(cache, Long.parseLong(words[1]));
          default -> throw new IllegalArgumentException("no such command");
        };
      }
    }
    return "";
  }

  /** Answers with the number of blocks that were cut off. */
  private static String truncate(Path cache, long bytes) throws IOException {
    int cut = 0;
    try (var files = Files.walk(cache)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (Files.size(file) > bytes) {
          try (FileChannel block = FileChannel.open(file, StandardOpenOption.WRITE)) {
            block.truncate(bytes);
          }
          cut++;
        }
      }
    }
    return Integer.toString(cut);
  }

  private static Map<String, String> properties(Path directory, Map<String, String> arguments)
      throws IOException {
    Files.createDirectories(directory.resolve("underFSStorage"));
    Files.createDirectories(directory.resolve(CACHE));
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put("alluxio.home", directory.toString());
    properties.put("alluxio.work.dir", directory.toString());
    properties.put("alluxio.logs.dir", directory.resolve("logs").toString());
    for (String who : new String[] {"master", "worker", "user"}) {
      properties.put("alluxio." + who + ".hostname", "localhost");
      properties.put("alluxio." + who + ".bind.host", "127.0.0.1");
      properties.put("alluxio." + who + ".web.bind.host", "127.0.0.1");
    }
    properties.put("alluxio.locality.node", "localhost");
    List<String> ports = freePorts(4);
    properties.put("alluxio.master.rpc.port", ports.get(0));
    properties.put("alluxio.master.web.port", ports.get(1));
    properties.put("alluxio.worker.rpc.port", ports.get(2));
    properties.put("alluxio.worker.web.port", ports.get(3));
    properties.put("alluxio.master.journal.type", "UFS");
    properties.put("alluxio.master.journal.folder", directory.resolve("journal").toString());
    properties.put("alluxio.master.journal.tailer.shutdown.quiet.wait.time", "50ms");
    properties.put("alluxio.master.journal.tailer.sleep.time", "100ms");
    properties.put("alluxio.master.metastore", "HEAP");
    properties.put("alluxio.master.metastore.dir", directory.resolve("metastore").toString());
    properties.put(
        "alluxio.master.mount.table.root.ufs", directory.resolve("underFSStorage").toString());
    properties.put("alluxio.master.worker.connect.wait.time", "0sec");
    properties.put("alluxio.master.backup.directory", directory.resolve("backup").toString());
    properties.put("alluxio.worker.tieredstore.levels", "1");
    properties.put("alluxio.worker.tieredstore.level0.alias", "SSD");
    properties.put(
        "alluxio.worker.tieredstore.level0.dirs.path", directory.resolve(CACHE).toString());
    properties.put("alluxio.worker.tieredstore.level0.dirs.mediumtype", "SSD");
    properties.put(
        "alluxio.worker.tieredstore.level0.dirs.quota",
        arguments.getOrDefault("workerBytes", "512MB"));
    properties.put("alluxio.worker.ramdisk.size", arguments.getOrDefault("workerBytes", "512MB"));
    properties.put("alluxio.worker.block.heartbeat.interval", "500ms");
    properties.put("alluxio.master.lost.worker.detection.interval", "500ms");
    properties.put("alluxio.master.worker.timeout", "3sec");
    properties.put("alluxio.worker.network.shutdown.timeout", "0ms");
    properties.put("alluxio.worker.network.netty.shutdown.quiet.period", "0ms");
    properties.put("alluxio.network.connection.server.shutdown.timeout", "2sec");
    properties.put("alluxio.network.connection.shutdown.graceful.timeout", "1sec");
    properties.put("alluxio.user.rpc.retry.max.duration", "10sec");
    properties.put("alluxio.user.block.read.retry.max.duration", "2sec");
    properties.put("alluxio.web.threads", "4");
    properties.put("alluxio.web.ui.enabled", "false");
    properties.put("alluxio.master.update.check.enabled", "false");
    properties.put("alluxio.security.authorization.permission.enabled", "false");
    arguments.forEach(
        (key, value) -> {
          if (key.startsWith("alluxio.")) {
            properties.put(key, value);
          }
        });
    return properties;
  }

  /**
   * Below the ports that systems give to clients: one of those could take the port of a server that
   * is stopped and to be started again.
   */
  private static List<String> freePorts(int count) throws IOException {
    Random random = new Random();
    List<String> ports = new ArrayList<>();
    while (ports.size() < count) {
      int port = 20_000 + random.nextInt(10_000);
      if (!ports.contains(Integer.toString(port)) && isFree(port)) {
        ports.add(Integer.toString(port));
      }
    }
    return ports;
  }

  private static boolean isFree(int port) throws IOException {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (BindException e) {
      return false; // somebody else has it
    }
  }

  private static void deleteAll(Path directory) throws IOException {
    try (var files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
