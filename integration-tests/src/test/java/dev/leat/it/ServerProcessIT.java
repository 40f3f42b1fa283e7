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
  void aServerAnnouncesItselfAndEndsWhenClosed(ServerKind kind) {
    try (TestServer server = TestServer.of(kind).with("greeting", "hello").start()) {
      assertThat(server.properties()).isNotEmpty();
    }
  }
}
