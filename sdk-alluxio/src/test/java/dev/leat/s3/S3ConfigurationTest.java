package dev.leat.s3;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class S3ConfigurationTest {

  @Test
  void flinksKeysAreUnderstood() {
    Configuration configuration =
        S3Configuration.of(
            Map.of(
                "s3.access-key",
                "A",
                "s3.secret-key",
                "B",
                "s3.endpoint",
                "http://e",
                "s3.path-style-access",
                "true",
                "flink.hadoop.fs.s3a.threads.max",
                "7",
                "taskmanager.numberOfTaskSlots",
                "2"),
            Map.of());

    assertThat(configuration.get("fs.s3a.access.key")).isEqualTo("A");
    assertThat(configuration.get("fs.s3a.secret.key")).isEqualTo("B");
    assertThat(configuration.get("fs.s3a.endpoint")).isEqualTo("http://e");
    assertThat(configuration.get("fs.s3a.path.style.access")).isEqualTo("true");
    assertThat(configuration.get("fs.s3a.threads.max")).isEqualTo("7");
    assertThat(configuration.get("taskmanager.numberOfTaskSlots")).isNull();
  }

  @Test
  void aKeyOfS3aItselfWins() {
    Configuration configuration =
        S3Configuration.of(
            Map.of(
                "s3.endpoint",
                "of-flink",
                "flink.hadoop.fs.s3a.endpoint",
                "of-hadoop",
                "fs.s3a.endpoint",
                "own"),
            Map.of());

    assertThat(configuration.get("fs.s3a.endpoint")).isEqualTo("own");
  }

  @Test
  void theSiteFileOfTheHostWinsOverLeatsDefaultsAndLosesToWhatIsGiven(@TempDir Path directory)
      throws IOException {
    Files.writeString(
        directory.resolve("core-site.xml"),
        "<configuration><property><name>fs.s3a.retry.limit</name><value>5</value></property>"
            + "<property><name>fs.s3a.endpoint</name><value>http://site</value></property></configuration>");

    Configuration configuration =
        S3Configuration.of(
            Map.of("fs.s3a.endpoint", "http://given"),
            Map.of("HADOOP_CONF_DIR", directory.toString()));

    assertThat(configuration.get("fs.s3a.retry.limit")).isEqualTo("5");
    assertThat(configuration.get("fs.s3a.endpoint")).isEqualTo("http://given");
    assertThat(configuration.get("fs.s3a.change.detection.mode")).isEqualTo("server");
  }

  @Test
  void aJarWithRelocatedClassesUnderstandsTheirKnownNames() {
    Configuration configuration = new Configuration(false);
    configuration.set(
        "fs.s3a.aws.credentials.provider",
        "org.apache.hadoop.fs.s3a.A, software.amazon.awssdk.auth.B,shaded.org.apache.hadoop.C,"
            + "com.example.org.apache.hadoop.D");
    configuration.set("fs.s3a.endpoint", "http://e");

    S3Configuration.relocate(configuration, "shaded.");

    assertThat(configuration.get("fs.s3a.aws.credentials.provider"))
        .isEqualTo(
            "shaded.org.apache.hadoop.fs.s3a.A, shaded.software.amazon.awssdk.auth.B,"
                + "shaded.org.apache.hadoop.C,com.example.org.apache.hadoop.D");
    assertThat(configuration.get("fs.s3a.endpoint")).isEqualTo("http://e");
  }
}
