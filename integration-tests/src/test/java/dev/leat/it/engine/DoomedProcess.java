package dev.leat.it.engine;

import dev.leat.Dimension;
import dev.leat.alluxio.Alluxio;
import dev.leat.event.DimensionEvent;
import dev.leat.internal.engine.DimensionService;
import dev.leat.it.engine.RealServers.Customer;
import dev.leat.it.engine.RealServers.Task;
import dev.leat.spi.CacheTier;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Opens a dimension in a process of its own, says {@code ACTIVATED} and {@code SERVING}, looks for
 * a new version at command, and stands still for good in the middle of its second swap. To be
 * killed.
 */
final class DoomedProcess implements AutoCloseable {
  private static final String NO_TIER = "-";

  /** What {@code kill -9} makes of a process's exit code. */
  static final int KILLED = 128 + 9;

  private final Process process;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

  private DoomedProcess(Process process) {
    this.process = process;
    Thread reader = new Thread(this::read, "output-of-" + process.pid());
    reader.setDaemon(true);
    reader.start();
  }

  /** Starts one that has no tier but its disk. */
  static DoomedProcess start(RealServers servers, String name, Path disk) throws IOException {
    return start(servers, name, disk, NO_TIER);
  }

  /** Starts one that fetches from, and publishes to, a directory in Alluxio. */
  static DoomedProcess start(RealServers servers, String name, Path disk, String indexRoot)
      throws IOException {
    return new DoomedProcess(
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-Djava.net.preferIPv4Stack=true",
                "-cp",
                System.getProperty("java.class.path"),
                DoomedProcess.class.getName(),
                name,
                servers.s3().property("endpoint"),
                servers.masterUri(),
                disk.toString(),
                indexRoot)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start());
  }

  private void read() {
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        lines.add(line);
      }
      lines.add("ENDED");
    } catch (IOException e) {
      lines.add("BROKEN " + e);
    }
  }

  /** The next line that it says. */
  String nextLine() throws InterruptedException {
    return String.valueOf(lines.poll(2, TimeUnit.MINUTES));
  }

  long pid() {
    return process.pid();
  }

  /** Has it look for a new version. */
  void refresh() throws IOException {
    process.getOutputStream().write('\n');
    process.getOutputStream().flush();
  }

  /** Kills it; gives its exit code. */
  int kill() throws InterruptedException {
    process.destroyForcibly();
    return process.waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  /** Expects name, endpoint, Alluxio's URI, the directory of the local disk, the index root. */
  public static void main(String[] args) throws Exception {
    Dimension<Long, Customer> dimension =
        RealServers.dimension("s3a://lake/" + args[0] + "/", args[0], args[1]);
    CacheTier[] tiers =
        args[4].equals(NO_TIER)
            ? new CacheTier[0]
            : new CacheTier[] {
              Alluxio.at(args[2]).mapping("s3a://lake", "/s3/lake").indexRoot(args[4])
            };
    Path disk = Path.of(args[3]);
    Task task = new Task(RealServers.credentials(), disk);
    DimensionService<Long, Customer> service =
        task.begin(RealServers.request(dimension, disk, tiers));
    AtomicInteger swaps = new AtomicInteger();
    service.addListener(
        event -> {
          if (event instanceof DimensionEvent.VersionActivated) {
            System.out.println("ACTIVATED");
            if (swaps.incrementAndGet() == 2) {
              awaitTheEnd();
            }
          }
        });
    service.awaitFirstVersion();
    System.out.println("SERVING built=" + service.statistics().loads().built());
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      while (in.readLine() != null) {
        task.refresh(service);
      }
    }
    System.exit(0); // whoever was to kill this one has ended
  }

  private static void awaitTheEnd() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public String toString() {
    return process + " said " + List.copyOf(lines);
  }
}
