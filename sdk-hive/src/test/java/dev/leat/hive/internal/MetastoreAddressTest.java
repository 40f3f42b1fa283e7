package dev.leat.hive.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code hive.metastore.uris} may say, and what may name a table. */
class MetastoreAddressTest {

  @Test
  void severalServersAreTriedInTheirOrderAndThePortMayBeLeftOut() {
    assertThat(MetastoreAddress.parse("thrift://a:1, thrift://b").text())
        .isEqualTo("thrift://a:1,thrift://b:9083");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a:9083", "http://a:1", "thrift://", "thrift://a,", "thrift://a b"})
  void anotherTextIsRefusedWithWhatToWrite(String text) {
    assertThatThrownBy(() -> MetastoreAddress.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("write thrift://host:9083");
  }

  @Test
  void credentialsAreRefusedWithoutShowingThem() {
    assertThatThrownBy(() -> MetastoreAddress.parse("thrift://user:hunter2@a:9083"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("credentials")
        .hasMessageNotContaining("hunter2");
  }

  @Test
  void aTimeoutIsPositive() {
    assertThatThrownBy(() -> MetastoreAddress.parse("thrift://a").withTimeout(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aTableIsNamedWithOrWithoutItsDatabaseInAnyCase() {
    assertThat(TableName.parse("Lake.Customers")).isEqualTo(new TableName("lake", "customers"));
    assertThat(TableName.parse("customers")).isEqualTo(new TableName("default", "customers"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "a.", ".a", "a.b.c"})
  void anotherNameIsRefused(String text) {
    assertThatThrownBy(() -> TableName.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is no name of a table");
  }
}
