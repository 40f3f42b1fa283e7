package dev.leat.samples.streamedge.show;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * A fresh directory for everything that a run leaves on disk: its own files, and what any library
 * or child process puts among temporary files.
 */
record TemporaryDirectory(Path path, ShowOptions.State atTheEnd) implements AutoCloseable {
  private static final int TRIES = 5;

  /**
   * Makes it, and makes it this process's directory of temporary files. Must come before the first
   * temporary file, since the JDK looks once.
   */
  static TemporaryDirectory create(ShowOptions.State atTheEnd) throws IOException {
    Path parent = Path.of(System.getProperty("java.io.tmpdir"));
    Path path = parent.resolve("leat-streamedge-" + ProcessHandle.current().pid()).toAbsolutePath();
    Files.createDirectory(path);
    System.setProperty("java.io.tmpdir", path.toString());
    return new TemporaryDirectory(path, atTheEnd);
  }

  Path resolve(String name) {
    return path.resolve(name);
  }

  /**
   * Removes it with all that is in it, unless it is to be kept. Others may still be writing and
   * deleting there when somebody has pressed Ctrl-C.
   */
  @Override
  public void close() throws IOException {
    if (atTheEnd == ShowOptions.State.KEPT) {
      return;
    }
    for (int tries = 1; Files.exists(path); tries++) {
      try (Stream<Path> files = Files.walk(path)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(file);
        }
      } catch (UncheckedIOException | IOException e) {
        if (tries == TRIES) {
          throw e;
        }
      }
    }
  }
}
