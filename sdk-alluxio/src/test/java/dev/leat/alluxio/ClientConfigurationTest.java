package dev.leat.alluxio;

import static org.assertj.core.api.Assertions.assertThat;

import alluxio.conf.InstancedConfiguration;
import alluxio.conf.PropertyKey;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClientConfigurationTest {

  @Test
  void aJarWithRelocatedClassesUnderstandsTheirKnownNames() {
    InstancedConfiguration configuration =
        ClientConfiguration.of(
            "localhost:1",
            Map.of(
                "alluxio.user.ufs.block.read.location.policy",
                "alluxio.client.block.policy.LocalFirstPolicy",
                "alluxio.security.login.username",
                "alluxio.user.file"),
            Map.of());

    ClientConfiguration.relocate(configuration, "shaded.");

    assertThat(configuration.get(PropertyKey.USER_UFS_BLOCK_READ_LOCATION_POLICY))
        .hasToString("shaded.alluxio.client.block.policy.LocalFirstPolicy");
    assertThat(configuration.getString(PropertyKey.SECURITY_LOGIN_USERNAME))
        .as("no class")
        .isEqualTo("alluxio.user.file");
  }
}
