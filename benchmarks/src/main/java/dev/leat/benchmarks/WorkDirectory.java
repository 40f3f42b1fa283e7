package dev.leat.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A directory for the files of one run, gone when it is closed. */
public record WorkDirectory(Path path) implements AutoCloseable {

  /** Makes one below the directory that the flag {@code --directory} names. */
  public static WorkDirectory of(Arguments arguments, String name) throws IOException {
    Path parent =
        arguments.path("directory", Path.of(System.getProperty("java.io.tmpdir"))).toAbsolutePath();
    return new WorkDirectory(
        Files.createTempDirectory(Files.createDirectories(parent), "leat-" + name + "-"));
  }

  /** A path in it. */
  public Path resolve(String name) {
    return path.resolve(name);
  }

  @Override
  public void close() throws IOException {
    delete(path);
  }

  /** Deletes a directory and all that is in it. */
  public static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
