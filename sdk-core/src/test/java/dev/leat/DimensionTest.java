package dev.leat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leat.format.DelimitedText;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DimensionTest {
  private record Customer(String id, String name) {}

  private static Dimension<String, Customer> at(String location) {
    return Dimension.named("customers")
        .at(location)
        .rows(Customer.class, DelimitedText.separatedBy('|').columns("id", "name"))
        .keyedBy(String.class, "id");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "s3a://AKIAKEY:topsecret@bucket/customers/",
        "s3a://AKIAKEY:topsecret@my_bucket/customers/",
        "s3a://AKIAKEY@my_bucket/customers/",
        "s3a://AKIAKEY:topsecret/rest@bucket/customers/"
      })
  void aLocationWithCredentialsIsRefusedWithoutSayingThem(String location) {
    assertThatThrownBy(() -> at(location))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("holds credentials")
        .hasMessageContaining("credential provider")
        .hasMessageNotContaining("topsecret")
        .hasMessageNotContaining("AKIAKEY");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "s3a://bucket/customers/",
        "s3a://my_bucket/customers/a@b/",
        "alluxio://master:19998/customers/",
        "alluxio://one:19998,two:19998,three:19998/customers/",
        "alluxio://one:19998;two:19998/customers/",
        "alluxio://zk@one:2181,two:2181/customers/",
        "alluxio://[::1]:19998/customers/",
        "file:///data/customers/"
      })
  void aLocationWithoutCredentialsIsTaken(String location) {
    assertThat(at(location).location()).hasToString(location);
  }

  @Test
  void aNameThatCouldLeadOutOfADirectoryIsRefused() {
    assertThatThrownBy(() -> Dimension.named("../customers"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'../customers'");
  }
}
