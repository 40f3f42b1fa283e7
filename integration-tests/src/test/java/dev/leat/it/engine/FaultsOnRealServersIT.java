package dev.leat.it.engine;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The scenarios on a real S3 server and a real Alluxio, one set of servers for all of them. */
class FaultsOnRealServersIT extends FaultScenarios {
  @TempDir static Path scratch;
  private static RealLake servers;

  @BeforeAll
  static void start() {
    servers = RealLake.start(scratch);
  }

  @AfterAll
  static void stop() {
    servers.close();
  }

  @Override
  Lake lake() {
    return servers;
  }
}
