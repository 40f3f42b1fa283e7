package dev.leat.samples.streamedge.show;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogTailTest {

  @Test
  void onlyWhatIsSaidAboutTheDimensionIsShown(@TempDir Path directory) throws Exception {
    Path log = directory.resolve("log");
    Files.writeString(
        log,
        """
        21:11:52.461 [a] INFO alluxio.network.TieredIdentityFactory - Initialized
        21:12:05.363 [b] WARN dev.leat.internal.engine.DimensionServices - Dimension 'customers': alluxio fails
        java.io.IOException: Dimension 'customers'
        21:12:06.363 [b] INFO dev.leat.flink.internal.EnrichmentOperator - customers (1/2) waits
        """);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    LogTail tail =
        new LogTail(log, new Console(new PrintStream(out, true, StandardCharsets.UTF_8)));
    tail.start();
    tail.close();
    assertThat(out.toString(StandardCharsets.UTF_8).lines())
        .singleElement()
        .asString()
        .endsWith("s  | Dimension 'customers': alluxio fails");
  }
}
