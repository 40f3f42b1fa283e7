package dev.leat.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leat.testserver.ServerKind;
import dev.leat.testserver.TestServer;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The protocol between a test and a server in a child process. */
class ServerProcessIT {

  private static final Set<ServerKind> FLINKS =
      EnumSet.of(ServerKind.FLINK_1_20, ServerKind.FLINK_2_2);

  /** On the class path of both Flink lines; its main method returns at once. */
  private static final String HARMLESS = "org.apache.logging.log4j.core.Version";

  @ParameterizedTest
  @EnumSource
  void aServerRunsFromItsAnnouncementUntilItIsClosed(ServerKind kind) {
    TestServer.Builder plan = TestServer.of(kind);
    if (FLINKS.contains(kind)) {
      plan.with("main", HARMLESS);
    }
    TestServer server = plan.start();
    try (server) {
      assertThat(isAlive(server.pid())).isTrue();
    }
    assertThat(isAlive(server.pid())).isFalse();
  }

  @ParameterizedTest
  @EnumSource(names = {"FLINK_1_20", "FLINK_2_2"})
  void aServerThatDoesNotExistIsNeverReady(ServerKind kind) {
    TestServer.Builder plan = TestServer.of(kind).with("main", "no.such.Server");

    assertThatThrownBy(plan::start)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("main=no.such.Server is no class with a main method");
  }

  private static boolean isAlive(long pid) {
    return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
  }
}
