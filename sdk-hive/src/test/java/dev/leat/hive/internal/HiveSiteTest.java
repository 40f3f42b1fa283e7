package dev.leat.hive.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is taken from a {@code hive-site.xml}. */
class HiveSiteTest {

  @TempDir private Path folder;

  @Test
  void theAddressOfTheMetastoreIsTakenFromTheFile() throws IOException {
    write(
        property("hive.exec.scratchdir", "/tmp/${user.name}")
            + property("hive.metastore.uris", " thrift://a:1,thrift://b:2 ")
            + property("hive.metastore.sasl.enabled", "false"));

    assertThat(HiveSite.in(folder.toString()).metastore().text())
        .isEqualTo("thrift://a:1,thrift://b:2");
    assertThat(HiveSite.in(folder.toUri().toString()).metastore().text())
        .isEqualTo("thrift://a:1,thrift://b:2");
  }

  @ParameterizedTest
  @CsvSource({
    "hive.metastore.sasl.enabled,true",
    "hive.metastore.use.SSL,TRUE",
    "hive.metastore.client.auth.mode,PLAIN",
    "hive.metastore.client.thrift.transport.mode,http"
  })
  void aMetastoreThatWantsALoginIsRefused(String property, String value) throws IOException {
    write(property("hive.metastore.uris", "thrift://a:1") + property(property, value));
    HiveSite site = HiveSite.in(folder.toString());

    assertThatThrownBy(site::metastore)
        .isInstanceOfSatisfying(
            LeatException.class,
            e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.UNSUPPORTED_METASTORE))
        .hasMessageContaining("'" + property + "' = '" + value + "'")
        .hasMessageContaining("without authentication");
  }

  @Test
  void aFileThatDoesNotSayWhereTheMetastoreIsIsRefused() throws IOException {
    write(property("hive.execution.engine", "mr"));
    HiveSite site = HiveSite.in(folder.toString());

    assertThatThrownBy(site::metastore)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("add the property hive.metastore.uris");
  }

  @Test
  void aFolderWithoutTheFileIsRefused() {
    assertThatThrownBy(() -> HiveSite.in(folder.toString()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("hive-site.xml cannot be read");
    assertThatThrownBy(() -> HiveSite.in("s3a://bucket/conf"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("hive-site.xml cannot be read");
  }

  @Test
  void nothingOutsideOfTheFileIsRead() throws IOException {
    Files.writeString(folder.resolve("secret"), "hunter2");
    Files.writeString(
        folder.resolve("hive-site.xml"),
        "<!DOCTYPE configuration [<!ENTITY secret SYSTEM 'file:"
            + folder.resolve("secret")
            + "'>]><configuration>"
            + property("hive.metastore.uris", "thrift://&secret;:1")
            + "</configuration>");

    assertThatThrownBy(() -> HiveSite.in(folder.toString()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("DOCTYPE")
        .hasMessageNotContaining("hunter2");
  }

  private void write(String properties) throws IOException {
    Files.writeString(
        folder.resolve("hive-site.xml"),
        "<?xml version=\"1.0\"?>\n<configuration>" + properties + "</configuration>");
  }

  private static String property(String name, String value) {
    return "<property><name>" + name + "</name><value>" + value + "</value></property>\n";
  }
}
