package dev.leat;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A location travels with the job and stands in its logs. */
class DimensionLocationTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "s3a://me:hunter2@lake/customers/",
        "s3a://me:hunter2@my_lake/customers/",
        "s3a://me:hunter2@/customers/",
        "alluxio://me:hunter2@m1:19998,m2:19998/customers/",
        "hdfs://me@namenode/customers/"
      })
  void credentialsInALocationAreRefusedAndNotRepeated(String location) {
    assertThatThrownBy(() -> Dimension.named("customers").at(location))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("hunter2");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "s3a://lake/customers/",
        "s3a://my_lake/customers/",
        "file:///data/me@home/",
        "alluxio://m1:19998,m2:19998/customers/",
        "alluxio://zk@z1:2181/customers/",
        "alluxio://zk@z1:2181,z2:2181/customers/"
      })
  void aLocationWithoutCredentialsIsTaken(String location) {
    assertThatCode(() -> Dimension.named("customers").at(location)).doesNotThrowAnyException();
  }
}
