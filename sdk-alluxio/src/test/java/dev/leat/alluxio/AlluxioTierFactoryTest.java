package dev.leat.alluxio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leat.spi.CacheTierFactory;
import java.net.URI;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class AlluxioTierFactoryTest {
  private static final URI IN_ALLUXIO = URI.create("alluxio://master:19998/s3/lake/customers");
  private static final URI IN_S3 = URI.create("s3a://lake/customers");

  private final CacheTierFactory factory =
      ServiceLoader.load(CacheTierFactory.class).stream()
          .map(ServiceLoader.Provider::get)
          .filter(each -> each.identifier().equals("alluxio"))
          .findFirst()
          .orElseThrow();

  @Test
  void aTableInAlluxioSaysTheCluster() {
    assertThat(factory.schemes()).containsExactly("alluxio");
    assertThat(factory.create(IN_ALLUXIO, Map.of()))
        .isEqualTo(Alluxio.at("alluxio://master:19998"));
  }

  @Test
  void aTableElsewhereNeedsTheCluster() {
    assertThat(factory.create(IN_S3, Map.of("uri", "alluxio://other:19998")))
        .isEqualTo(Alluxio.at("alluxio://other:19998"));
    assertThatThrownBy(() -> factory.create(IN_S3, Map.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the option 'uri' is missing");
  }

  @Test
  void mappingsAndTheRootOfIndexesAreTaken() {
    assertThat(
            factory.create(
                IN_ALLUXIO,
                Map.of(
                    "mapping", "s3a://lake=/s3/lake; s3a://other=/s3/other",
                    "index-root", "/indexes")))
        .isEqualTo(
            Alluxio.at("alluxio://master:19998")
                .mapping("s3a://lake", "/s3/lake")
                .mapping("s3a://other", "/s3/other")
                .indexRoot("/indexes"));
    assertThatThrownBy(() -> factory.create(IN_ALLUXIO, Map.of("mapping", "/s3/lake")))
        .hasMessageContaining("has no '='");
    assertThat(factory.options()).containsOnlyKeys("uri", "mapping", "index-root");
  }
}
