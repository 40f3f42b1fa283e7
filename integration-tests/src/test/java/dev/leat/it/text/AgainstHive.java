package dev.leat.it.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Tests that compare with Hive's own readers, which run as long as the tests of a class. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AgainstHive {
  private Path directory;
  private HiveOracle hive;

  @BeforeAll
  final void startHive(@TempDir Path ofClass) {
    directory = ofClass;
    hive = new HiveOracle(ofClass);
  }

  @AfterAll
  final void stopHive() {
    hive.close();
  }

  final HiveOracle hive() {
    return hive;
  }

  /** A path for a file; what an earlier test had there is gone. */
  final Path fresh(String name) throws IOException {
    Path path = directory.resolve(name);
    Files.deleteIfExists(path);
    return path;
  }
}
