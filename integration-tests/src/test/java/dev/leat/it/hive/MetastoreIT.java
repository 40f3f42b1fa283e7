package dev.leat.it.hive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leat.Dimension;
import dev.leat.DimensionKey;
import dev.leat.DimensionRow;
import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import dev.leat.hive.HiveDimension;
import dev.leat.hive.HiveMetastore;
import dev.leat.testserver.HiveTable;
import dev.leat.testserver.HiveTable.Storage;
import dev.leat.testserver.RealHiveMetastore;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What a real metastore says of a table, as a dimension. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MetastoreIT {
  private RealHiveMetastore metastore;

  @BeforeAll
  void startMetastore() {
    metastore = RealHiveMetastore.start();
  }

  @AfterAll
  void stopMetastore() {
    metastore.close();
  }

  /** {@code CREATE TABLE … ROW FORMAT DELIMITED FIELDS TERMINATED BY '|' STORED AS TEXTFILE}. */
  private static HiveTable customers(String name) {
    return HiveTable.named("default", name)
        .column("customer_id", "string")
        .column("subscription_tier", "string")
        .column("country_code", "string")
        .column("account_status", "string")
        .serdeProperty("field.delim", "|")
        .serdeProperty("serialization.format", "|")
        .location("alluxio://master-ip:19998/s3/streamedge-datalake/customers");
  }

  @Test
  void aTableIsADimensionWithItsLocationFormatAndColumns() {
    metastore.createTable(customers("customer_dimension"));

    HiveDimension table = hive().dimension("default.customer_dimension");
    Dimension<DimensionKey, DimensionRow> dimension = table.rows().keyedBy("customer_id");
    Dimension<String, Customer> typed =
        table.named("customers").rows(Customer.class).keyedBy(String.class, "customer_id");

    assertThat(dimension.name()).isEqualTo("default.customer_dimension");
    assertThat(dimension.location())
        .isEqualTo(URI.create("alluxio://master-ip:19998/s3/streamedge-datalake/customers"));
    assertThat(dimension.columns().orElseThrow())
        .containsExactly(
            new Column("customer_id", ColumnType.STRING),
            new Column("subscription_tier", ColumnType.STRING),
            new Column("country_code", ColumnType.STRING),
            new Column("account_status", ColumnType.STRING));
    assertThat(dimension.format().definition()).contains("delimiter=124");
    assertThat(typed.name()).isEqualTo("customers");
    assertThat(table.rows("COUNTRY_CODE").keyedBy("country_code").columns().orElseThrow())
        .hasSize(1);
    assertThatThrownBy(() -> table.rows("city"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("has no column 'city'");
    assertThatThrownBy(() -> table.partitions(all -> all.latest()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is not partitioned");
  }

  @Test
  void partitionsWithALocationAndASerdeOfTheirOwnAreThoseOfTheDimension() {
    metastore.createTable(
        customers("by_day").location("s3a://lake/by-day").partitionedBy("dt", "date"));
    for (int day = 1; day <= 301; day++) {
      HiveTable partition =
          HiveTable.partitionOf("default", "by_day", String.format("2025-%03d", day));
      metastore.addPartition(partition.location("s3a://lake/by-day/" + day));
    }
    metastore.addPartition(
        HiveTable.partitionOf("default", "by_day", "__HIVE_DEFAULT_PARTITION__")
            .location("s3a://elsewhere/unknown day")
            .serdeProperty("field.delim", ";"));

    HiveDimension table = hive().dimension("by_day");

    assertThat(table.columns())
        .extracting(Column::name)
        .containsExactly(
            "customer_id", "subscription_tier", "country_code", "account_status", "dt");
    var partitions = table.rows().keyedBy("customer_id").partitions().orElseThrow().toString();
    assertThat(partitions).contains("hive and new").contains("dt");
  }

  @Test
  void whatIsNotThereIsSaidWithWhatIs() {
    metastore.createTable(customers("is_there"));

    assertCode(ErrorCode.TABLE_NOT_FOUND, "default.is_not_there")
        .hasMessageContaining("there is no table default.is_not_there")
        .hasMessageContaining("is_there");
    assertCode(ErrorCode.TABLE_NOT_FOUND, "nowhere.customers")
        .hasMessageContaining("has no database 'nowhere', only [default");
  }

  @Test
  void whatCannotBeReadIsRefused() {
    metastore.createTable(customers("a_view").view("SELECT * FROM customer_dimension"));
    metastore.createTable(
        HiveTable.named("default", "insert_only")
            .managed()
            .column("customer_id", "string")
            .parameter("transactional", "true")
            .parameter("transactional_properties", "insert_only"));
    metastore.createTable(customers("sequence").storedAs(Storage.SEQUENCEFILE));
    metastore.createTable(customers("by_regex").serde("org.apache.hadoop.hive.serde2.RegexSerDe"));
    metastore.createTable(customers("union").column("odd", "uniontype<int,string>"));

    assertCode(ErrorCode.UNSUPPORTED_TABLE, "a_view").hasMessageContaining("is a view");
    assertCode(ErrorCode.UNSUPPORTED_TABLE, "insert_only")
        .hasMessageContaining("is transactional (ACID)");
    assertCode(ErrorCode.UNSUPPORTED_TABLE, "sequence")
        .hasMessageContaining("SequenceFileInputFormat");
    assertCode(ErrorCode.UNSUPPORTED_TABLE, "by_regex").hasMessageContaining("RegexSerDe");
    assertCode(ErrorCode.UNSUPPORTED_COLUMN_TYPE, "union").hasMessageContaining("uniontype");
  }

  @Test
  void aMetastoreThatIsAwayIsSaidToBeAndOneThatComesBackIsAskedAgain() {
    metastore.createTable(customers("later"));
    metastore.shut();
    try {
      assertCode(ErrorCode.METASTORE_UNAVAILABLE, "later").hasMessageContaining(metastore.uri());
    } finally {
      metastore.open();
    }
    assertThat(hive().dimension("later").columns()).hasSize(4);
  }

  @Test
  void theSecondServerIsAskedWhereTheFirstIsAway() throws Exception {
    metastore.createTable(customers("highly_available"));
    int unused;
    try (ServerSocket socket = new ServerSocket(0)) {
      unused = socket.getLocalPort();
    }

    HiveMetastore both = HiveMetastore.at("thrift://127.0.0.1:" + unused + "," + metastore.uri());

    assertThat(both.dimension("highly_available").columns()).hasSize(4);
  }

  @Test
  void aServerThatDoesNotAnswerIsGivenUpAfterTheTimeout() throws Exception {
    try (ServerSocket silent = new ServerSocket(0)) {
      HiveMetastore metastore =
          HiveMetastore.at("thrift://127.0.0.1:" + silent.getLocalPort())
              .timeout(Duration.ofMillis(300));

      assertThatThrownBy(() -> metastore.dimension("customers"))
          .isInstanceOfSatisfying(
              LeatException.class,
              e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.METASTORE_UNAVAILABLE));
    }
  }

  private HiveMetastore hive() {
    return HiveMetastore.at(metastore.uri());
  }

  private org.assertj.core.api.AbstractThrowableAssert<?, ? extends Throwable> assertCode(
      ErrorCode code, String table) {
    return assertThatThrownBy(() -> hive().dimension(table))
        .isInstanceOfSatisfying(
            LeatException.class, e -> assertThat(e.errorCode()).isEqualTo(code));
  }

  /** A row. */
  record Customer(String customerId, String countryCode) {}
}
