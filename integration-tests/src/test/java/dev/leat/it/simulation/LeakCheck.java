package dev.leat.it.simulation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Looks for what should be gone when all hosts have stopped. */
final class LeakCheck {
  private static final Path MAPS = Path.of("/proc/self/maps");
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

  private final World world;

  LeakCheck(World world) {
    this.world = world;
  }

  void run() {
    threads();
    files();
    mappings();
    descriptors();
    streams(world.s3()::assertNothingOpen);
    streams(world.alluxio()::assertNothingOpen);
  }

  private void leak(String what) {
    world.find(Finding.Kind.LEAK, what);
  }

  /** All threads of a run are in the group of the one that runs it. */
  private void threads() {
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    long begin = System.nanoTime();
    while (true) {
      Thread[] all = new Thread[group.activeCount() + 16];
      int count = group.enumerate(all);
      List<Thread> left = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        if (all[i] != Thread.currentThread()) {
          left.add(all[i]);
        }
      }
      if (left.isEmpty()) {
        return;
      }
      if (System.nanoTime() - begin > Duration.ofSeconds(20).toNanos()) {
        leak("threads are left: " + left);
        return;
      }
      try {
        left.get(0).join(50);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("the simulation was interrupted", e);
      }
    }
  }

  private void files() {
    for (Path disk : world.disks()) {
      List<String> claims = new Leftovers(disk.resolve("customers")).claims();
      if (!claims.isEmpty()) {
        leak(
            "pins and half-written files are left on " + disk.getFileName() + ": " + claims.size());
      }
    }
  }

  private void mappings() {
    if (!Files.isReadable(MAPS)) {
      return;
    }
    try (Stream<String> lines = Files.lines(MAPS)) {
      long mapped = lines.filter(line -> line.contains(world.directory().toString())).count();
      if (mapped > 0) {
        leak(mapped + " mappings are left");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void descriptors() {
    if (!Files.isDirectory(DESCRIPTORS)) {
      return;
    }
    int open = 0;
    try (Stream<Path> links = Files.list(DESCRIPTORS)) {
      for (Path link : links.toList()) {
        try {
          if (Files.readSymbolicLink(link).startsWith(world.directory())) {
            open++;
          }
        } catch (NoSuchFileException e) {
          // Closed meanwhile, by another run.
          continue;
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (open > 0) {
      leak(open + " files are left open");
    }
  }

  private void streams(Runnable check) {
    try {
      check.run();
    } catch (AssertionError e) {
      StringBuilder opened = new StringBuilder(String.valueOf(e.getMessage()));
      for (Throwable each : e.getSuppressed()) {
        opened.append("\n  ").append(each.getMessage());
        Stream.of(each.getStackTrace())
            .limit(25)
            .forEach(frame -> opened.append("\n    at ").append(frame));
      }
      leak(opened.toString());
    }
  }
}
