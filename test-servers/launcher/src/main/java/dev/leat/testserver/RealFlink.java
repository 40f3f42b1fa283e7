package dev.leat.testserver;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntPredicate;
import java.util.stream.Stream;

/**
 * A Flink session cluster and its SQL gateway: a JobManager, TaskManagers and the gateway, each a
 * process of its own as Flink's start scripts would start it, on this machine's loopback. The class
 * path is what a distribution's {@code lib} folder has, and what is added here. A process can be
 * killed, and one like it be started in its place, as a supervisor would.
 */
public final class RealFlink implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Duration PAUSE = Duration.ofMillis(100);

  /** What Flink's own start scripts open on Java 17. */
  private static final List<String> OPENS =
      Stream.concat(
              Stream.of(
                      "java.base/sun.net.util",
                      "java.rmi/sun.rmi.registry",
                      "java.security.jgss/sun.security.krb5")
                  .map(name -> "--add-exports=" + name + "=ALL-UNNAMED"),
              Stream.of(
                      "java.lang",
                      "java.net",
                      "java.io",
                      "java.nio",
                      "sun.nio.ch",
                      "java.lang.reflect",
                      "java.text",
                      "java.time",
                      "java.util",
                      "java.util.concurrent",
                      "java.util.concurrent.atomic",
                      "java.util.concurrent.locks")
                  .map(name -> "--add-opens=java.base/" + name + "=ALL-UNNAMED"))
          .toList();

  private static final String LOG4J =
      """
      rootLogger.level = INFO
      rootLogger.appenderRef.console.ref = console
      appender.console.name = console
      appender.console.type = Console
      appender.console.target = SYSTEM_ERR
      appender.console.layout.type = PatternLayout
      appender.console.layout.pattern = %d{HH:mm:ss.SSS} %-5p %-50c{1.} - %m%n
      """;

  private static final String SLOTS = "taskmanager.numberOfTaskSlots";
  private static final String JOB_MANAGER = "jobmanager";
  private static final String TASK_MANAGER = "taskmanager";
  private static final String GATEWAY = "gateway";

  private final Builder plan;
  private final URI rest;
  private final URI gateway;
  private final HttpClient client = HttpClient.newHttpClient();

  /** By name, in the order in which they were first started. */
  private final Map<String, TestServer> processes = new LinkedHashMap<>();

  private final List<Path> logs = new ArrayList<>();

  private RealFlink(Builder plan, URI rest, URI gateway) {
    this.plan = plan;
    this.rest = rest;
    this.gateway = gateway;
  }

  /**
   * Prepares a cluster.
   *
   * @param line which Flink
   * @param directory where its configuration and logs go
   * @return a builder
   */
  public static Builder of(FlinkLine line, Path directory) {
    return new Builder(line, directory);
  }

  /**
   * Where the JobManager answers.
   *
   * @return its REST API
   */
  public URI rest() {
    return rest;
  }

  /**
   * Where the SQL gateway answers.
   *
   * @return its REST API
   */
  public URI gateway() {
    return gateway;
  }

  /**
   * Opens a session at the gateway.
   *
   * @param apiVersion {@code v1} or {@code v2}
   * @return the open session
   */
  public SqlGatewaySession session(String apiVersion) {
    return SqlGatewaySession.open(gateway, apiVersion);
  }

  /**
   * The jobs of the cluster.
   *
   * @return its REST API for jobs
   */
  public FlinkJobs jobs() {
    return new FlinkJobs(client, rest);
  }

  /**
   * Kills a TaskManager, as {@code kill -9} does.
   *
   * @param number the first is 1
   */
  public void killTaskManager(int number) {
    kill(TASK_MANAGER + number);
  }

  /**
   * Starts a TaskManager in the place of one that was killed, and does not wait for it.
   *
   * @param number the first is 1
   */
  public void startTaskManager(int number) {
    start(TASK_MANAGER + number);
  }

  /** Kills the JobManager, as {@code kill -9} does. What it knew of its jobs is gone. */
  public void killJobManager() {
    kill(JOB_MANAGER);
  }

  /** Starts a JobManager at the address of the one that was killed; returns when it answers. */
  public void startJobManager() {
    start(JOB_MANAGER);
    Builder.await(client, rest.resolve("/overview"), "slots-total", any -> true);
  }

  /**
   * Waits until the cluster has slots that no job uses.
   *
   * @param count how many at least
   */
  public void awaitFreeSlots(int count) {
    Builder.await(client, rest.resolve("/overview"), "slots-available", slots -> slots >= count);
  }

  /**
   * A TaskManager's process.
   *
   * @param number the first is 1
   * @return its id
   */
  public long taskManagerPid(int number) {
    return process(TASK_MANAGER + number).pid();
  }

  /**
   * The JobManager's process.
   *
   * @return its id
   */
  public long jobManagerPid() {
    return process(JOB_MANAGER).pid();
  }

  private TestServer process(String name) {
    TestServer process = processes.get(name);
    if (process == null) {
      throw new IllegalArgumentException("no " + name + " runs, only " + processes.keySet());
    }
    return process;
  }

  private void kill(String name) {
    process(name).kill();
    processes.remove(name);
  }

  private void start(String name) {
    if (processes.containsKey(name)) {
      throw new IllegalStateException(name + " runs already");
    }
    Path log = plan.directory.resolve(name + "-" + (logs.size() + 1) + ".log");
    logs.add(log);
    processes.put(name, plan.start(name, log));
  }

  /**
   * What all processes have logged until now, those that were killed too.
   *
   * @return the texts of their logs, one after the other
   */
  public String logs() {
    StringBuilder texts = new StringBuilder();
    for (Path log : logs) {
      try {
        texts.append(Files.readString(log));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return texts.toString();
  }

  /**
   * The processes.
   *
   * @return their ids
   */
  public List<Long> pids() {
    return processes.values().stream().map(TestServer::pid).toList();
  }

  @Override
  public void close() {
    List<TestServer> lastFirst = new ArrayList<>(processes.values());
    Collections.reverse(lastFirst);
    lastFirst.forEach(TestServer::close);
  }

  @Override
  public String toString() {
    return "Flink " + plan.line + " at " + rest;
  }

  /** How a cluster is to be started. */
  public static final class Builder {

    private final FlinkLine line;
    private final Path directory;
    private final List<Path> libraries = new ArrayList<>();
    private final Map<String, String> configuration = new LinkedHashMap<>();
    private final List<String> jvmFlags = new ArrayList<>();
    private int taskManagers = 1;
    private boolean gateway = true;

    private Builder(FlinkLine line, Path directory) {
      this.line = line;
      this.directory = directory;
      configuration.put(SLOTS, "4");
      configuration.put("parallelism.default", "1");
    }

    /**
     * Drops a jar into the {@code lib} folder of all processes.
     *
     * @param jar the jar
     * @return this builder
     */
    public Builder library(Path jar) {
      if (!Files.isRegularFile(jar)) {
        throw new IllegalArgumentException("There is no jar " + jar + "; build it first");
      }
      libraries.add(jar);
      return this;
    }

    /**
     * Sets an option in Flink's configuration file.
     *
     * @param key its key
     * @param value its value
     * @return this builder
     */
    public Builder option(String key, String value) {
      configuration.put(key, value);
      return this;
    }

    /**
     * Sets how many TaskManagers there are; one if not called.
     *
     * @param count their number
     * @return this builder
     */
    public Builder taskManagers(int count) {
      taskManagers = count;
      return this;
    }

    /**
     * Leaves the SQL gateway out.
     *
     * @return this builder
     */
    public Builder withoutGateway() {
      gateway = false;
      return this;
    }

    /**
     * Adds a flag to the JVMs of all processes.
     *
     * @param flag for example {@code -Dkey=value}
     * @return this builder
     */
    public Builder jvmFlag(String flag) {
      jvmFlags.add(flag);
      return this;
    }

    /**
     * Starts the cluster and returns when its slots are there and the gateway answers.
     *
     * @return the running cluster
     */
    public RealFlink start() {
      int[] ports = freePorts(3);
      URI rest = URI.create("http://localhost:" + ports[0]);
      URI gatewayUri = URI.create("http://localhost:" + ports[2]);
      configuration.put("jobmanager.rpc.address", "localhost");
      configuration.put("jobmanager.rpc.port", Integer.toString(ports[1]));
      configuration.put("jobmanager.bind-host", "localhost");
      configuration.put("taskmanager.host", "localhost");
      configuration.put("taskmanager.bind-host", "localhost");
      configuration.put("rest.address", "localhost");
      configuration.put("rest.bind-address", "localhost");
      configuration.put("rest.port", Integer.toString(ports[0]));
      configuration.put("sql-gateway.endpoint.rest.address", "localhost");
      configuration.put("sql-gateway.endpoint.rest.bind-address", "localhost");
      configuration.put("sql-gateway.endpoint.rest.port", Integer.toString(ports[2]));
      configuration.put("io.tmp.dirs", directory.resolve("tmp").toString());
      writeConfiguration();

      RealFlink flink = new RealFlink(this, rest, gatewayUri);
      try {
        flink.start(JOB_MANAGER);
        for (int number = 1; number <= taskManagers; number++) {
          flink.start(TASK_MANAGER + number);
        }
        if (gateway) {
          flink.start(GATEWAY);
        }
        int slots = taskManagers * Integer.parseInt(configuration.get(SLOTS));
        await(flink.client, rest.resolve("/overview"), "slots-total", present -> present >= slots);
        if (gateway) {
          await(flink.client, gatewayUri.resolve("/v1/info"), "version", any -> true);
        }
        return flink;
      } catch (RuntimeException e) {
        flink.close();
        throw e;
      }
    }

    private TestServer start(String name, Path log) {
      if (name.equals(GATEWAY)) {
        return process(log, "org.apache.flink.table.gateway.SqlGateway");
      }
      if (name.equals(JOB_MANAGER)) {
        return process(
            log,
            "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint",
            "--configDir",
            directory.toString());
      }
      return taskManager(log);
    }

    /** Its memory spelled out, as Flink's start script computes it. */
    private TestServer taskManager(Path log) {
      List<String> arguments = new ArrayList<>(List.of("--configDir", directory.toString()));
      Map<String, String> memory = new LinkedHashMap<>();
      memory.put("taskmanager.cpu.cores", "2");
      memory.put("taskmanager.memory.task.heap.size", "384m");
      memory.put("taskmanager.memory.task.off-heap.size", "64m");
      memory.put("taskmanager.memory.managed.size", "64m");
      memory.put("taskmanager.memory.network.min", "64m");
      memory.put("taskmanager.memory.network.max", "64m");
      memory.put("taskmanager.memory.jvm-metaspace.size", "256m");
      memory.put("taskmanager.memory.jvm-overhead.min", "64m");
      memory.put("taskmanager.memory.jvm-overhead.max", "64m");
      memory.put("taskmanager.memory.framework.heap.size", "128m");
      memory.put("taskmanager.memory.framework.off-heap.size", "64m");
      memory.forEach(
          (key, value) -> {
            arguments.add("-D");
            arguments.add(key + "=" + value);
          });
      return process(
          log,
          "org.apache.flink.runtime.taskexecutor.TaskManagerRunner",
          arguments.toArray(String[]::new));
    }

    private TestServer process(Path log, String mainClass, String... arguments) {
      TestServer.Builder server =
          TestServer.of(line.server())
              .heap("512m")
              .logTo(log)
              .environment("FLINK_CONF_DIR", directory.toString())
              .jvmFlag("-Dlog4j.configurationFile=" + directory.resolve("log4j.properties"))
              .jvmFlag("-XX:TieredStopAtLevel=1");
      OPENS.forEach(server::jvmFlag);
      jvmFlags.forEach(server::jvmFlag);
      libraries.forEach(server::library);
      server.with("main", mainClass);
      for (int i = 0; i < arguments.length; i++) {
        server.with("arg" + i, arguments[i]);
      }
      return server.start();
    }

    private void writeConfiguration() {
      StringBuilder yaml = new StringBuilder();
      configuration.forEach(
          (key, value) ->
              yaml.append(key).append(": '").append(value.replace("'", "''")).append("'\n"));
      try {
        Files.createDirectories(directory.resolve("tmp"));
        Files.writeString(directory.resolve("config.yaml"), yaml);
        Files.writeString(directory.resolve("log4j.properties"), LOG4J);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static void await(HttpClient client, URI uri, String key, IntPredicate ready) {
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      RuntimeException last = new IllegalStateException("not asked yet");
      while (System.nanoTime() < deadline) {
        try {
          var answer = SqlGatewaySession.send(client, SqlGatewaySession.get(uri));
          if (answer.has(key) && ready.test(answer.path(key).asInt())) {
            return;
          }
          last = new IllegalStateException("it answers " + answer);
        } catch (GatewayException | UncheckedIOException e) {
          last = e; // not up yet
        }
        LockSupport.parkNanos(PAUSE.toNanos());
      }
      throw new IllegalStateException(uri + " is not ready after " + PATIENCE, last);
    }

    private static int[] freePorts(int count) {
      List<ServerSocket> sockets = new ArrayList<>();
      try {
        int[] ports = new int[count];
        for (int i = 0; i < count; i++) { // all open at once, so that they differ
          ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
          sockets.add(socket);
          ports[i] = socket.getLocalPort();
        }
        for (ServerSocket socket : sockets) {
          socket.close();
        }
        return ports;
      } catch (IOException e) {
        throw new UncheckedIOException("No free port", e);
      }
    }
  }
}
