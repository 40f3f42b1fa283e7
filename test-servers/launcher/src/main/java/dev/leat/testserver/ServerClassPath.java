package dev.leat.testserver;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The class path of a server, as the build wrote it into {@code target/server.classpath} of the
 * server's module. The modules are found below the folder named by the system property {@value
 * #HOME_PROPERTY}, else in the nearest folder above the working directory that holds {@code
 * test-servers}: so it works from Maven, from an IDE and from {@code samples/run} alike.
 */
final class ServerClassPath {

  static final String HOME_PROPERTY = "leat.testservers.home";

  private ServerClassPath() {}

  static String of(ServerKind kind) {
    Path target = home().resolve(kind.module()).resolve("target");
    Path file = target.resolve("server.classpath");
    try {
      return target.resolve("classes") + File.pathSeparator + Files.readString(file).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(
          "No class path of the server "
              + kind
              + " in "
              + file
              + "; build it: mvn -q -DskipTests verify",
          e);
    }
  }

  private static Path home() {
    String configured = System.getProperty(HOME_PROPERTY);
    if (configured != null) {
      return Path.of(configured).toAbsolutePath();
    }
    Path start = Path.of("").toAbsolutePath();
    for (Path folder = start; folder != null; folder = folder.getParent()) {
      Path candidate = folder.resolve("test-servers");
      if (Files.isRegularFile(candidate.resolve("pom.xml"))) {
        return candidate;
      }
    }
    throw new IllegalStateException(
        "No folder test-servers above "
            + start
            + "; set -D"
            + HOME_PROPERTY
            + "=<checkout>/test-servers");
  }
}
