package dev.leat.it.gateway;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The jars that users drop into Flink's lib folder, where the build put them. */
enum SqlJar {
  CONNECTOR("sql-connector"),
  PARQUET("sql-parquet"),
  ORC("sql-orc"),
  AVRO("sql-avro");

  private final String module;

  SqlJar(String module) {
    this.module = module;
  }

  Path path() {
    try (Stream<Path> files = Files.list(target())) {
      List<Path> jars =
          files
              .filter(
                  file ->
                      file.getFileName()
                          .toString()
                          .matches("leat-" + module + "-(?!.*-sources).*\\.jar"))
              .toList();
      if (jars.size() == 1) {
        return jars.get(0);
      }
      throw new IllegalStateException("one jar was expected in " + target() + ", not " + jars);
    } catch (IOException e) {
      throw new UncheckedIOException("build it: mvn -pl " + module + " -am package -Dquick", e);
    }
  }

  /** The artifacts of which it was made, and what was on their class path besides. */
  List<String> parts() throws IOException {
    String classPath = Files.readString(target().resolve("bundled.classpath"));
    return List.of(classPath.strip().split(File.pathSeparator));
  }

  /** Maven runs a module's tests in the module's folder. */
  private Path target() {
    return Path.of("").toAbsolutePath().resolveSibling(module).resolve("target");
  }
}
