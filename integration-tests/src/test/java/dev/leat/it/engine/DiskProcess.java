package dev.leat.it.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leat.LeatException;
import dev.leat.event.DimensionEvent;
import dev.leat.internal.engine.DimensionReader;
import dev.leat.internal.engine.DimensionService;
import dev.leat.internal.engine.ImpatientServices;
import dev.leat.it.engine.RealServers.Customer;
import dev.leat.it.engine.RealServers.Task;
import dev.leat.spi.CacheTier;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A job in a process that may write less than others, and says line by line what becomes of it. */
final class DiskProcess {
  private static final int SMALL = 100;
  private static final int LARGE = 60_000;

  /** Less than the index of the large version has, and more than that of a small one. */
  private static final int LIMIT = 1 << 17;

  /** What the process may not. */
  enum Limit {
    /** Write files beyond a size: what a program sees of a full disk, at a moment that is known. */
    FILE_SIZE,
    /** Write where permissions say no, as a superuser may. */
    NO_OVERRIDE
  }

  private DiskProcess() {}

  /** Runs a process to its end; gives its lines. */
  static List<String> run(Limit limit, Path directory) throws Exception {
    List<String> command = new ArrayList<>();
    if (limit == Limit.NO_OVERRIDE && isSuperuser()) {
      command.addAll(
          List.of(
              "setpriv",
              "--bounding-set=-dac_override,-dac_read_search",
              "--inh-caps=-dac_override,-dac_read_search"));
    }
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:-UsePerfData",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
            "-cp",
            System.getProperty("java.class.path"),
            DiskProcess.class.getName(),
            limit.name(),
            directory.toString()));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    List<String> lines = new ArrayList<>();
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        lines.add(line);
      }
    }
    assertThat(process.waitFor()).as("the exit status, after %s", lines).isZero();
    return lines;
  }

  private static boolean isSuperuser() {
    return System.getProperty("user.name").equals("root");
  }

  /** Expects the limit and a directory. */
  public static void main(String[] args) throws Exception {
    Path directory = Path.of(args[1]);
    try (FakeLake lake = new FakeLake()) {
      if (Limit.valueOf(args[0]) == Limit.FILE_SIZE) {
        fill(lake, directory);
      } else {
        writeProtect(lake, directory);
      }
    }
    System.out.println("end");
  }

  private static void fill(FakeLake lake, Path directory) throws Exception {
    Path disk = directory.resolve("first");
    try (Task task = new Task(lake.credentials(), disk, ImpatientServices::acquire)) {
      lake.put("customers/part-0", 0, SMALL, "small");
      DimensionService<Long, Customer> service = open(task, lake, disk, lake.tier());
      System.out.println("opened " + served(service));
      lake.put("customers/part-0", 0, LARGE, "large");
      limitFiles(Integer.toString(LIMIT));
      task.refresh(service);
      System.out.println(
          "full: "
              + latestFailure(task)
              + ", serves "
              + served(service)
              + ", half-written "
              + halfWritten(disk));
      limitFiles("unlimited");
      task.refresh(service);
      System.out.println(
          "free: serves "
              + served(service)
              + ", failures "
              + service.statistics().loads().failuresInARow());
      // Until it is published, and nobody writes any more.
      task.refresh(service);
    }
    limitFiles(Integer.toString(LIMIT));
    Path other = directory.resolve("second");
    try (Task task = new Task(lake.credentials(), other, ImpatientServices::acquire)) {
      DimensionService<Long, Customer> service = open(task, lake, other, lake.tier());
      System.out.println("fetching: no failure, serves " + served(service));
    } catch (LeatException e) {
      System.out.println(
          "fetching: " + e.errorCode().code() + ", half-written " + halfWritten(other));
    }
    limitFiles("unlimited");
  }

  /** A soft limit of this process. */
  private static void limitFiles(String bytes) throws Exception {
    Process prlimit =
        new ProcessBuilder(
                "prlimit",
                "--pid=" + ProcessHandle.current().pid(),
                "--fsize=" + bytes + ":unlimited")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    if (prlimit.waitFor() != 0) {
      throw new IllegalStateException("prlimit failed with status " + prlimit.exitValue());
    }
  }

  private static void writeProtect(FakeLake lake, Path directory) throws Exception {
    Path disk = directory.resolve("first");
    try (Task task = new Task(lake.credentials(), disk, ImpatientServices::acquire)) {
      lake.put("customers/part-0", 0, SMALL, "small");
      DimensionService<Long, Customer> service = open(task, lake, disk);
      System.out.println("opened " + served(service));
      permit(disk.resolve("customers"), "r-x------");
      lake.put("customers/part-0", 0, SMALL, "smaller");
      task.refresh(service);
      System.out.println("read-only: " + latestFailure(task) + ", serves " + served(service));
      try (Task late = new Task(lake.credentials(), directory, ImpatientServices::acquire)) {
        open(late, lake, disk);
        System.out.println("starting: no failure");
      } catch (LeatException e) {
        System.out.println("starting: " + e.errorCode().code());
      }
      permit(disk.resolve("customers"), "rwx------");
      task.refresh(service);
      System.out.println(
          "writable: serves "
              + served(service)
              + ", failures "
              + service.statistics().loads().failuresInARow());
    }
  }

  private static DimensionService<Long, Customer> open(
      Task task, FakeLake lake, Path disk, CacheTier... tiers) throws InterruptedException {
    return task.open(RealServers.request(lake.dimension("customers"), disk, tiers));
  }

  private static String served(DimensionService<Long, Customer> service) {
    try (DimensionReader<Long, Customer> reader = service.reader()) {
      String first = String.valueOf(reader.find(0L));
      for (long id = 0; id < SMALL; id++) {
        if (!first
            .replace(" 0]", " " + id + "]")
            .replace("id=0", "id=" + id)
            .equals(String.valueOf(reader.find(id)))) {
          return "a wrong row: " + reader.find(id);
        }
      }
      return first.replaceAll(".*name=(\\w+) 0]", "$1");
    }
  }

  private static String latestFailure(Task task) {
    List<DimensionEvent.RefreshFailed> failures = task.events(DimensionEvent.RefreshFailed.class);
    return failures.isEmpty() ? "no failure" : failures.get(failures.size() - 1).code().code();
  }

  /** The files of half-written indexes and what else has no place on a disk after a failure. */
  private static long halfWritten(Path disk) throws IOException {
    try (Stream<Path> paths = Files.walk(disk)) {
      return paths.filter(path -> path.getFileName().toString().contains(".new-")).count();
    }
  }

  private static void permit(Path directory, String permissions) throws IOException {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(permissions));
  }
}
