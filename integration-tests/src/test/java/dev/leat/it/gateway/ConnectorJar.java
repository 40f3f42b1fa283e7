package dev.leat.it.gateway;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Where the build put the jar that users drop into Flink's lib folder. */
final class ConnectorJar {

  private ConnectorJar() {}

  static Path path() {
    Path target = target();
    try (Stream<Path> files = Files.list(target)) {
      List<Path> jars =
          files
              .filter(
                  file ->
                      file.getFileName()
                          .toString()
                          .matches("leat-sql-connector-(?!.*-sources).*\\.jar"))
              .toList();
      if (jars.size() == 1) {
        return jars.get(0);
      }
      throw new IllegalStateException("one jar was expected in " + target + ", not " + jars);
    } catch (IOException e) {
      throw new UncheckedIOException("build it: mvn -pl sql-connector -am package -Dquick", e);
    }
  }

  /** Maven runs a module's tests in the module's folder. */
  static Path target() {
    return Path.of("").toAbsolutePath().resolveSibling("sql-connector").resolve("target");
  }
}
