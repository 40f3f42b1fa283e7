package dev.leat.it.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What users can see of an artifact, its API and its class path, changes only together with the
 * committed description of it. {@code -Dleat.pins=write} (or {@code .ci/refresh-pins}) writes the
 * descriptions anew.
 */
class PinsTest {

  @ParameterizedTest
  @EnumSource
  void theApiIsTheOneThatIsCommitted(Published artifact) throws Exception {
    compare(artifact.pinnedApi(), ApiDescription.of(artifact.classes()));
  }

  @ParameterizedTest
  @EnumSource
  void theClassPathOfAUserIsTheOneThatIsCommitted(Published artifact) throws Exception {
    compare(
        artifact.pinnedDependencies(),
        UserDependencies.of(Files.readString(artifact.dependencyTree())));
  }

  private static void compare(Path pin, String actual) throws IOException {
    if ("write".equals(System.getProperty("leat.pins"))) {
      Files.createDirectories(pin.getParent());
      Files.writeString(pin, actual);
    }
    assertThat(actual)
        .as("%s; if the change is meant: run .ci/refresh-pins and commit", pin)
        .isEqualTo(Files.readString(pin));
  }
}
