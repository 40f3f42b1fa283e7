package dev.leat.alluxio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AlluxioTest {

  @Test
  void theTierTravelsToTheTask() throws IOException, ClassNotFoundException {
    Alluxio tier =
        Alluxio.at("alluxio://master:19998")
            .mapping("s3a://lake", "/s3/lake")
            .indexRoot("/indexes")
            .property("alluxio.user.block.read.retry.max.duration", "5s");
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(tier);
    }

    Object copy = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();

    assertThat(copy).isEqualTo(tier).hasSameHashCodeAs(tier);
    assertThat(tier.tierName()).isEqualTo("alluxio");
    assertThat(tier).hasToString("Alluxio[alluxio://master:19998, indexes under /indexes]");
  }

  @Test
  void itOwnsItsOwnLocationsOnly() {
    Alluxio tier = Alluxio.at("alluxio://master:19998");

    assertThat(tier.owns(URI.create("alluxio://master:19998/s3/lake/x"))).isTrue();
    assertThat(tier.owns(URI.create("alluxio:///s3/lake/x"))).isTrue();
    assertThat(tier.owns(URI.create("alluxio://another:19998/s3/lake/x"))).isFalse();
    assertThat(tier.owns(URI.create("s3a://lake/x"))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "master:19998",
        "hdfs://master:9000",
        "alluxio:///path",
        "alluxio://master",
        "alluxio://m1:1,m2",
        "alluxio://zk@",
        "alluxio://a b:1"
      })
  void aUriThatNamesNoMasterIsRefused(String uri) {
    assertThatThrownBy(() -> Alluxio.at(uri))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(uri)
        .hasMessageContaining("alluxio://");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "alluxio://me:hunter2@master:19998",
        "alluxio://me:hunter2@m1:1,m2:2",
        "alluxio://me:hunter2@a b:1",
        "s3a://me:hunter2@lake"
      })
  void aPasswordInTheUriIsRefusedAndNotRepeated(String uri) {
    assertThatThrownBy(() -> Alluxio.at(uri))
        .isInstanceOf(IllegalArgumentException.class)
        .hasNoCause()
        .hasMessageNotContaining("hunter2");
  }

  @Test
  void theMountTableIsReadAsItIsWritten() {
    assertThat(Mounts.underStore("s3://lake")).isEqualTo(URI.create("s3://lake"));
    assertThat(Mounts.underStore("s3://lake/my tables/100%"))
        .isEqualTo(URI.create("s3://lake/my%20tables/100%25"));
    assertThat(Mounts.underStore("hdfs://n1:8020,n2:8020/x").getRawAuthority())
        .isEqualTo("n1:8020,n2:8020");
    assertThat(Mounts.underStore("/opt/under store").getPath()).isEqualTo("/opt/under store");
    assertThat(Mounts.underStore("/opt").getScheme()).isEqualTo("file");
  }

  @Test
  void oneMasterSeveralMastersAndZookeeperAreTold() {
    assertThat(MasterAddress.properties("m:19998"))
        .containsEntry("alluxio.master.hostname", "m")
        .containsEntry("alluxio.master.rpc.port", "19998");
    assertThat(MasterAddress.properties("m1:19998,m2:19998"))
        .containsEntry("alluxio.master.rpc.addresses", "m1:19998,m2:19998")
        .containsEntry("alluxio.zookeeper.enabled", "false");
    assertThat(MasterAddress.properties("zk@z1:2181,z2:2181"))
        .isEqualTo(
            Map.of(
                "alluxio.zookeeper.enabled",
                "true",
                "alluxio.zookeeper.address",
                "z1:2181,z2:2181"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "s3a.secretKey",
        "alluxio.user.secret",
        "alluxio.security.password",
        "alluxio.underfs.access.key"
      })
  void aSecretIsRefusedAndNotRepeated(String key) {
    assertThatThrownBy(() -> Alluxio.at("alluxio://m:1").property(key, "hunter2"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(key)
        .hasMessageNotContaining("hunter2");
  }

  @Test
  void aMappingMustBeOfAStoreBehindAlluxio() {
    Alluxio tier = Alluxio.at("alluxio://m:1");

    assertThatThrownBy(() -> tier.mapping("alluxio://m:1/x", "/x"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> tier.mapping("lake", "/x"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> tier.mapping("s3a://lake", "s3/lake"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("s3/lake");
    assertThatThrownBy(() -> tier.mapping("s3a://me:hunter2@lake", "/x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("hunter2");
  }

  @Test
  void theTiersOwnPropertiesWinOverThoseOfThePlaceAndThoseOverLeats() {
    var configuration =
        ClientConfiguration.of(
            "m:19998",
            Map.of(
                "alluxio.user.block.read.retry.max.duration",
                "7s",
                "alluxio.user.streaming.data.read.timeout",
                "8s",
                "rest.port",
                "8081"),
            Map.of("alluxio.user.block.read.retry.max.duration", "9s"));

    assertThat(
            configuration.getDuration(alluxio.conf.PropertyKey.USER_BLOCK_READ_RETRY_MAX_DURATION))
        .hasSeconds(9);
    assertThat(configuration.getDuration(alluxio.conf.PropertyKey.USER_STREAMING_DATA_READ_TIMEOUT))
        .hasSeconds(8);
    assertThat(configuration.getDuration(alluxio.conf.PropertyKey.USER_RPC_RETRY_MAX_DURATION))
        .hasSeconds(3);
    assertThat(configuration.getString(alluxio.conf.PropertyKey.MASTER_HOSTNAME)).isEqualTo("m");
  }
}
