package dev.leat.it.engine;

import dev.leat.Dimension;
import dev.leat.alluxio.Alluxio;
import dev.leat.event.DimensionStatistics;
import dev.leat.internal.engine.DimensionReader;
import dev.leat.internal.engine.DimensionService;
import dev.leat.internal.engine.DimensionServices;
import dev.leat.internal.engine.ServiceEnvironment;
import dev.leat.it.engine.RealServers.Customer;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;

/** Opens a dimension in a process of its own and says where it came from and what a key has. */
final class OtherProcess {

  private OtherProcess() {}

  /** Runs a process to its end; gives its last line. */
  static String run(RealServers servers, String location, String name, Path disk, long key)
      throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-Djava.net.preferIPv4Stack=true",
                "-cp",
                System.getProperty("java.class.path"),
                OtherProcess.class.getName(),
                location,
                name,
                servers.s3().property("endpoint"),
                servers.masterUri(),
                disk.toString(),
                Long.toString(key))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String last = "";
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        last = line;
      }
    }
    return last + " exit=" + process.waitFor();
  }

  /** Expects location, name, endpoint, Alluxio's URI, the directory of the local disk, a key. */
  public static void main(String[] args) throws Exception {
    Dimension<Long, Customer> dimension = RealServers.dimension(args[0], args[1], args[2]);
    Alluxio tier = Alluxio.at(args[3]).mapping("s3a://lake", "/s3/lake");
    Path disk = Path.of(args[4]);
    try (DimensionService<Long, Customer> service =
        DimensionServices.acquire(
            RealServers.request(dimension, disk, tier),
            new ServiceEnvironment(RealServers.credentials(), disk, Clock.systemUTC()))) {
      service.awaitFirstVersion();
      try (DimensionReader<Long, Customer> reader = service.reader()) {
        DimensionStatistics statistics = service.statistics();
        System.out.println(
            "built="
                + statistics.loads().built()
                + " fetched="
                + statistics.loads().fetched()
                + " reused="
                + statistics.loads().reused()
                + " sourceBytes="
                + statistics.tiers().get("source").bytes()
                + " row="
                + reader.find(Long.parseLong(args[5])));
      }
    }
  }
}
