package dev.leat.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leat.testserver.TcpProxy;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TcpProxyTest {
  private static final int LENGTH = 100_000;
  private static final int SHORT_MILLIS = 200;

  private ServerSocket server;
  private TcpProxy proxy;

  /** Answers each connection with some bytes and its end. */
  @BeforeEach
  void start() throws IOException {
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread thread = new Thread(this::serve, "server");
    thread.setDaemon(true);
    thread.start();
    proxy = TcpProxy.to(new InetSocketAddress(server.getInetAddress(), server.getLocalPort()));
  }

  private void serve() {
    while (!server.isClosed()) {
      try (Socket client = server.accept();
          OutputStream out = client.getOutputStream()) {
        out.write(new byte[LENGTH]);
        out.flush();
        client.shutdownOutput();
        assertThat(client.getInputStream().read()).isNegative();
      } catch (IOException e) {
        assertThat(e).isInstanceOf(SocketException.class); // closed, or reset by the proxy
      }
    }
  }

  @AfterEach
  void stop() throws IOException {
    proxy.close();
    server.close();
  }

  private int bytes(int patienceMillis) throws IOException {
    try (Socket client = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
      client.setSoTimeout(patienceMillis);
      return client.getInputStream().readNBytes(LENGTH).length;
    }
  }

  private void assertPasses() throws IOException {
    assertThat(bytes(60_000)).isEqualTo(LENGTH);
  }

  @Test
  void withoutFaultsEverythingPasses() throws IOException {
    assertPasses();
  }

  @Test
  void aConnectionBreaksAfterSoManyBytesAsOftenAsItIsToldTo() throws IOException {
    proxy.resetAfter(LENGTH / 2, 2);
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> bytes(60_000)).isInstanceOf(SocketException.class);
    }
    assertThat(proxy.resetsLeft()).isZero();
    assertPasses();
  }

  @Test
  void silenceIsNoEndAndPasses() throws IOException {
    proxy.silence();
    assertThatThrownBy(() -> bytes(SHORT_MILLIS)).isInstanceOf(SocketTimeoutException.class);
    proxy.heal();
    assertPasses();
  }

  @Test
  void answersAreLateAndComeWhenItIsHealed() throws IOException {
    proxy.delay(Duration.ofMinutes(10));
    assertThatThrownBy(() -> bytes(SHORT_MILLIS)).isInstanceOf(SocketTimeoutException.class);
    proxy.heal();
    assertPasses();
  }

  @Test
  void aRefusedConnectionBreaks() throws IOException {
    proxy.refuse();
    assertThatThrownBy(() -> bytes(60_000)).isInstanceOf(SocketException.class);
    proxy.heal();
    assertPasses();
  }
}
