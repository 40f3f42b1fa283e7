package dev.leat.testserver;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A server in a JVM of its own. Its standard output speaks the protocol of {@link ChildProcess};
 * its standard error goes to a log file. It ends when this object is closed, and also when this JVM
 * dies, since then its standard input ends.
 */
public final class TestServer implements AutoCloseable {

  static final String LOGS_PROPERTY = "leat.testservers.logs";

  private static final Duration COMMAND_PATIENCE = Duration.ofMinutes(4);
  private static final String ENDED = "the server ended its output";

  private final ServerKind kind;
  private final Process process;
  private final Path log;
  private final Map<String, String> properties;
  private final BlockingQueue<String> answers;
  private final boolean ownLog;
  private long commands;

  private TestServer(
      ServerKind kind,
      Process process,
      Path log,
      Map<String, String> properties,
      BlockingQueue<String> answers,
      boolean ownLog) {
    this.kind = kind;
    this.process = process;
    this.log = log;
    this.properties = properties;
    this.answers = answers;
    this.ownLog = ownLog;
  }

  /**
   * Prepares a server.
   *
   * @param kind which one
   * @return a builder
   */
  public static Builder of(ServerKind kind) {
    return new Builder(kind);
  }

  /**
   * A value of the READY line, such as a port.
   *
   * @param key its name
   * @return its value
   * @throws IllegalArgumentException if the server announced no such key
   */
  public String property(String key) {
    String value = properties.get(key);
    if (value == null) {
      throw new IllegalArgumentException(
          kind + " announced no '" + key + "', only " + properties.keySet());
    }
    return value;
  }

  /**
   * Everything of the READY line.
   *
   * @return the keys and values in the order announced
   */
  public Map<String, String> properties() {
    return properties;
  }

  /**
   * The server's process.
   *
   * @return its id
   */
  public long pid() {
    return process.pid();
  }

  /**
   * Where the server's log is.
   *
   * @return the file
   */
  public Path log() {
    return log;
  }

  /**
   * Has the server run one of the commands that its main class documents, and waits until it has.
   *
   * @param line the command
   * @return the server's answer, may be empty
   * @throws IllegalStateException if the command failed or was not answered within four minutes
   */
  public synchronized String run(String line) {
    try {
      process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
      return answer(line, ++commands);
    } catch (IOException e) {
      throw new UncheckedIOException(kind + " takes no command; its log: " + log, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while " + kind + " ran '" + line + "'", e);
    }
  }

  private String answer(String line, long number) throws InterruptedException {
    String ok = ChildProcess.OK + " " + number + " ";
    String failed = ChildProcess.FAILED + " " + number + " ";
    long deadline = System.nanoTime() + COMMAND_PATIENCE.toNanos();
    String answer;
    do { // an answer that came too late for an earlier command is passed over
      answer = answers.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
    } while (answer != null
        && !answer.startsWith(ok)
        && !answer.startsWith(failed)
        && !answer.equals(ENDED));
    if (answer == null || !answer.startsWith(ok)) {
      throw new IllegalStateException(
          kind + " answered '" + line + "' with '" + answer + "'; its log: " + log);
    }
    return answer.substring(ok.length());
  }

  /** Ends the process at once, as a crash would. */
  public void kill() {
    process.destroyForcibly();
    awaitEnd(Duration.ofSeconds(10));
  }

  /** Asks the server to end by closing its standard input, and kills it if it does not. */
  @Override
  public void close() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      process.destroy(); // the pipe is broken: the process has ended or is about to
    }
    if (!awaitEnd(Duration.ofSeconds(20))) {
      kill();
    } else if (ownLog) {
      log.toFile().delete(); // of no interest once the server has ended as it should
    }
  }

  private boolean awaitEnd(Duration atMost) {
    try {
      return process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      return true;
    }
  }

  /** How a server is to be started. */
  public static final class Builder {

    private final ServerKind kind;
    private final List<String> arguments = new ArrayList<>();
    private final List<String> jvmFlags = new ArrayList<>();
    private final List<Path> libraries = new ArrayList<>();
    private final Map<String, String> environment = new LinkedHashMap<>();
    private @Nullable Path log;
    private String heap = "512m";
    private Duration patience = Duration.ofMinutes(5);

    private Builder(ServerKind kind) {
      this.kind = kind;
    }

    /**
     * Adds a {@code key=value} argument.
     *
     * @param key the name, as the server's main class documents it
     * @param value the value
     * @return this builder
     */
    public Builder with(String key, String value) {
      arguments.add(key + "=" + value);
      return this;
    }

    /**
     * Adds a JVM flag.
     *
     * @param flag for example {@code -Dkey=value}
     * @return this builder
     */
    public Builder jvmFlag(String flag) {
      jvmFlags.add(flag);
      return this;
    }

    /**
     * Adds a jar to the end of the server's class path.
     *
     * @param jar the jar
     * @return this builder
     */
    public Builder library(Path jar) {
      libraries.add(jar);
      return this;
    }

    /**
     * Sets an environment variable.
     *
     * @param name its name
     * @param value its value
     * @return this builder
     */
    public Builder environment(String name, String value) {
      environment.put(name, value);
      return this;
    }

    /**
     * Sets the greatest heap.
     *
     * @param size as {@code -Xmx} takes it
     * @return this builder
     */
    public Builder heap(String size) {
      heap = size;
      return this;
    }

    /**
     * Sets where the server's log goes; without it a new file in the directory that the system
     * property {@value TestServer#LOGS_PROPERTY} names, else a temporary file.
     *
     * @param file the file, overwritten
     * @return this builder
     */
    public Builder logTo(Path file) {
      log = file;
      return this;
    }

    /**
     * Sets how long the server may take to become ready; five minutes if not called.
     *
     * @param atMost the time
     * @return this builder
     */
    public Builder patience(Duration atMost) {
      patience = atMost;
      return this;
    }

    /**
     * Starts the server and returns when it is ready.
     *
     * @return the running server
     * @throws IllegalStateException if it ends or is not ready in time; the message has its log
     */
    public TestServer start() {
      try {
        Path logFile = log == null ? newLog() : log;
        ProcessBuilder builder =
            new ProcessBuilder(command())
                .redirectError(ProcessBuilder.Redirect.to(logFile.toFile()));
        builder.environment().putAll(environment);
        Process process = builder.start();
        BlockingQueue<String> answers = new LinkedBlockingQueue<>();
        return new TestServer(
            kind, process, logFile, awaitReady(process, logFile, answers), answers, log == null);
      } catch (IOException e) {
        throw new UncheckedIOException("Cannot start " + kind, e);
      }
    }

    private Path newLog() throws IOException {
      String logs = System.getProperty(LOGS_PROPERTY);
      String prefix = kind.module() + "-";
      return logs == null
          ? Files.createTempFile("leat-" + prefix, ".log")
          : Files.createTempFile(Files.createDirectories(Path.of(logs)), prefix, ".log");
    }

    private List<String> command() {
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.add("-Xmx" + heap);
      command.add("-XX:+UseSerialGC");
      command.add("-Djava.net.preferIPv4Stack=true");
      // Whoever gives this process a directory of its own for temporary files finds there what a
      // killed server leaves behind.
      command.add("-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"));
      command.addAll(kind.jvmFlags());
      command.addAll(jvmFlags);
      command.add("-cp");
      StringBuilder classPath = new StringBuilder(ServerClassPath.of(kind));
      libraries.forEach(jar -> classPath.append(File.pathSeparator).append(jar));
      command.add(classPath.toString());
      command.add(kind.mainClass());
      command.addAll(arguments);
      return command;
    }

    private Map<String, String> awaitReady(
        Process process, Path logFile, BlockingQueue<String> answers) {
      CompletableFuture<Map<String, String>> ready = new CompletableFuture<>();
      Thread reader = new Thread(() -> read(process, ready, answers), "output-of-" + kind.module());
      reader.setDaemon(true);
      reader.start();
      try {
        return ready.get(patience.toMillis(), TimeUnit.MILLISECONDS);
      } catch (ExecutionException | TimeoutException e) {
        process.destroyForcibly();
        throw new IllegalStateException(
            kind
                + " did not become ready within "
                + patience
                + ". Its log, "
                + logFile
                + ":\n"
                + endOf(logFile),
            e);
      } catch (InterruptedException e) {
        process.destroyForcibly();
        Thread.currentThread().interrupt();
        throw new IllegalStateException("Interrupted while " + kind + " started", e);
      }
    }

    /** Reads to the end, so that the child never blocks on a full pipe. */
    private static void read(
        Process process,
        CompletableFuture<Map<String, String>> ready,
        BlockingQueue<String> answers) {
      try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          if (line.startsWith(ChildProcess.READY)) {
            ready.complete(parse(line));
          } else {
            answers.add(line);
          }
        }
        ready.completeExceptionally(new IllegalStateException(ENDED));
        answers.add(ENDED);
      } catch (IOException e) {
        ready.completeExceptionally(e);
      }
    }

    private static Map<String, String> parse(String line) {
      Map<String, String> properties = new LinkedHashMap<>();
      for (String pair : line.substring(ChildProcess.READY.length()).strip().split(" ", -1)) {
        int equals = pair.indexOf('=');
        if (equals > 0) {
          properties.put(pair.substring(0, equals), pair.substring(equals + 1));
        }
      }
      return Collections.unmodifiableMap(properties);
    }

    private static String endOf(Path logFile) {
      try {
        List<String> lines = Files.readAllLines(logFile);
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 60), lines.size()));
      } catch (IOException e) {
        return "(not readable: " + e + ")";
      }
    }
  }
}
