package dev.leat.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leat.spi.Blob;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SourceFilesTest {

  @Test
  void markersAndWorkInProgressAreNoData() {
    List<Blob> listing =
        List.of(
            blob("s3a://b/customers/.part-0.crc"),
            blob("s3a://b/customers/.hive-staging/part-0"),
            blob("s3a://b/customers/_SUCCESS"),
            blob("s3a://b/customers/_temporary/0/part-0"),
            blob("s3a://b/customers/dt=2024-01-01/_metadata"),
            blob("s3a://b/customers/dt=2024-01-01/part_1.txt"),
            blob("s3a://b/customers/part-0"));

    assertThat(SourceFiles.dataFiles(URI.create("s3a://b/customers/"), listing))
        .extracting(file -> file.uri().getPath())
        .containsExactly("/customers/dt=2024-01-01/part_1.txt", "/customers/part-0");
  }

  @Test
  void whatStandsAboveTheLocationDoesNotMatter() {
    assertThat(
            SourceFiles.isData(
                URI.create("file:///home/.cache/_x/customers"),
                URI.create("file:///home/.cache/_x/customers/part-0")))
        .isTrue();
    assertThat(
            SourceFiles.isData(
                URI.create("file:///_x/_named_by_the_user.txt"),
                URI.create("file:///_x/_named_by_the_user.txt")))
        .isTrue();
  }

  private static Blob blob(String uri) {
    return new Blob(URI.create(uri), 1, Optional.empty(), Instant.EPOCH);
  }
}
