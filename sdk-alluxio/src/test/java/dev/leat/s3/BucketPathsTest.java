package dev.leat.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leat.spi.StoreException;
import java.net.URI;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BucketPathsTest {

  @ParameterizedTest
  @ValueSource(strings = {"s3", "s3a", "s3n"})
  void theUsersSchemeComesBack(String scheme) throws StoreException {
    BucketPaths paths = BucketPaths.of(URI.create(scheme + "://lake/tables/"));
    URI uri = URI.create(scheme + "://lake/tables/a%20b%25");

    Path path = paths.path(uri);

    assertThat(path).isEqualTo(new Path("s3a", "lake", "/tables/a b%"));
    assertThat(paths.uri(path)).isEqualTo(uri);
  }

  @Test
  void credentialsInTheLocationAreRefusedAndNotRepeated() {
    assertThatThrownBy(() -> BucketPaths.of(URI.create("s3a://AKIA:hunter2@lake/x")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("lake")
        .hasMessageNotContaining("hunter2")
        .hasMessageNotContaining("AKIA");
  }

  @Test
  void aLocationWithoutABucketIsRefused() {
    assertThatThrownBy(() -> BucketPaths.of(URI.create("s3a:///x")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("s3a://bucket");
  }

  @Test
  void aWayOutOfTheBucketIsRefused() {
    BucketPaths paths = BucketPaths.of(URI.create("s3a://lake/"));

    assertThatThrownBy(() -> paths.path(URI.create("s3a://other/x")))
        .isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> paths.path(URI.create("s3a://lake/../x")))
        .isInstanceOf(StoreException.class);
  }
}
