package dev.leat.samples.streamedge.show;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** A Flink within this process, reachable from this machine only. */
final class LocalFlink {
  private static final int PARALLELISM = 2;

  private LocalFlink() {}

  /**
   * An environment whose jobs run in this process.
   *
   * @param restPort where Flink's REST interface listens
   * @param temporaryFiles the directory of its temporary files
   */
  static StreamExecutionEnvironment environment(int restPort, Path temporaryFiles) {
    Configuration configuration = new Configuration();
    configuration.setString("rest.address", "localhost");
    configuration.setString("rest.bind-address", "localhost");
    configuration.setString("rest.port", Integer.toString(restPort));
    configuration.setString("rest.bind-port", Integer.toString(restPort));
    configuration.setString("jobmanager.bind-host", "localhost");
    configuration.setString("taskmanager.bind-host", "localhost");
    configuration.setString("taskmanager.numberOfTaskSlots", Integer.toString(PARALLELISM));
    configuration.setString("io.tmp.dirs", temporaryFiles.toString());
    configuration.setString("metrics.fetcher.update-interval", "500 ms");
    configuration.setString("restart-strategy.type", "fixed-delay");
    configuration.setString("restart-strategy.fixed-delay.attempts", "5");
    configuration.setString("restart-strategy.fixed-delay.delay", "1 s");
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.getExecutionEnvironment(configuration);
    env.setParallelism(PARALLELISM);
    return env;
  }

  static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
