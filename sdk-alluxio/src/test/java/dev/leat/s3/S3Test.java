package dev.leat.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class S3Test {

  @Test
  void settingsBecomePropertiesOfS3a() {
    S3 settings =
        S3.settings()
            .endpoint("http://minio:9000")
            .region("eu-west-1")
            .pathStyleAccess()
            .credentialProviderPath("jceks://file/etc/s3.jceks")
            .property("fs.s3a.connection.maximum", "64");

    assertThat(settings.properties())
        .isEqualTo(
            Map.of(
                "fs.s3a.endpoint", "http://minio:9000",
                "fs.s3a.endpoint.region", "eu-west-1",
                "fs.s3a.path.style.access", "true",
                "hadoop.security.credential.provider.path", "jceks://file/etc/s3.jceks",
                "fs.s3a.connection.maximum", "64"));
  }

  @Test
  void settingsAreImmutable() {
    S3 first = S3.settings().region("eu-west-1");
    S3 second = first.region("us-east-1");

    assertThat(first.properties()).containsValue("eu-west-1");
    assertThat(second)
        .isNotEqualTo(first)
        .isEqualTo(S3.settings().region("us-east-1"))
        .hasSameHashCodeAs(S3.settings().region("us-east-1"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "fs.s3a.access.key",
        "fs.s3a.secret.key",
        "fs.s3a.session.token",
        "fs.s3a.bucket.lake.secret.key",
        "fs.s3a.encryption.key",
        "fs.s3a.proxy.password",
        "fs.s3a.server-side-encryption.key.secret"
      })
  void aSecretIsRefusedAndNotRepeated(String key) {
    assertThatThrownBy(() -> S3.settings().property(key, "hunter2"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(key)
        .hasMessageContaining("docs/stores.md")
        .hasMessageNotContaining("hunter2");
  }

  @Test
  void anEndpointWithCredentialsIsRefusedAndNotRepeated() {
    assertThatThrownBy(() -> S3.settings().endpoint("http://me:hunter2@minio:9000"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("hunter2");
  }

  @Test
  void aKeyOfSomethingElseIsRefused() {
    assertThatThrownBy(() -> S3.settings().property("alluxio.user.x", "1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("alluxio.user.x");
  }

  @Test
  void theTextHasNoValues() {
    assertThat(S3.settings().endpoint("http://minio:9000").toString())
        .isEqualTo("S3[fs.s3a.endpoint]");
  }
}
