package dev.leat.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leat.testserver.ServerKind;
import dev.leat.testserver.TestServer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The protocol between a test and a server in a child process. */
class ServerProcessIT {

  @ParameterizedTest
  @EnumSource
  void aServerRunsFromItsAnnouncementUntilItIsClosed(ServerKind kind) {
    TestServer server = TestServer.of(kind).start();
    try (server) {
      assertThat(isAlive(server.pid())).isTrue();
    }
    assertThat(isAlive(server.pid())).isFalse();
  }

  private static boolean isAlive(long pid) {
    return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
  }
}
