package dev.leat.hive.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import org.apache.thrift.server.TServer;
import org.apache.thrift.server.TThreadPoolServer;
import org.apache.thrift.transport.TSaslServerTransport;
import org.apache.thrift.transport.TServerSocket;
import org.junit.jupiter.api.Test;

/** How a metastore is met that cannot be talked to. */
class MetastoreClientTest {

  /** As with Kerberos: a server of Thrift's own that wants a login, here another one of SASL's. */
  @Test
  void aServerThatWantsALoginIsRefusedWithAHintAtIt() throws Exception {
    try (TServerSocket socket =
        new TServerSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      TServer server =
          new TThreadPoolServer(
              new TThreadPoolServer.Args(socket)
                  .transportFactory(
                      new TSaslServerTransport.Factory(
                          "DIGEST-MD5", "hive", "localhost", Map.of(), callbacks -> {}))
                  .processor((in, out) -> {}));
      Thread serving = new Thread(server::serve, "server with a login");
      serving.start();
      try {
        MetastoreAddress address =
            MetastoreAddress.parse("thrift://127.0.0.1:" + socket.getServerSocket().getLocalPort())
                .withTimeout(Duration.ofSeconds(20));

        assertThatThrownBy(() -> MetastoreClient.open(address))
            .isInstanceOfSatisfying(
                LeatException.class,
                e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.METASTORE_UNAVAILABLE))
            .hasMessageContaining("takes connections without authentication");
      } finally {
        server.stop();
        serving.join();
      }
    }
  }
}
