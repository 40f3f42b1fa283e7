package dev.leat.hive;

import static java.util.Objects.requireNonNull;

import dev.leat.hive.internal.HiveTable;
import dev.leat.hive.internal.MetastoreAddress;
import dev.leat.hive.internal.MetastoreClient;
import dev.leat.hive.internal.TableName;
import java.time.Duration;

/**
 * A Hive metastore that knows the definitions of tables.
 *
 * <pre>{@code
 * Dimension<String, Customer> customers =
 *     HiveMetastore.at("thrift://metastore:9083")
 *         .dimension("default.customer_dimension")
 *         .rows(Customer.class)
 *         .keyedBy(String.class, "customer_id");
 * }</pre>
 *
 * <p>The metastore is asked while the dimension is being defined, by the program that submits the
 * job, and never by a task. It must take unauthenticated connections in Thrift's binary protocol;
 * any release from 2.3 on serves.
 *
 * <p>Immutable and thread-safe.
 */
public final class HiveMetastore {
  private final MetastoreAddress address;

  private HiveMetastore(MetastoreAddress address) {
    this.address = address;
  }

  /**
   * Says where the metastore is.
   *
   * @param uris as in {@code hive.metastore.uris}: {@code thrift://host:port}, several with commas
   *     between them, which are tried in this order
   */
  public static HiveMetastore at(String uris) {
    return new HiveMetastore(MetastoreAddress.parse(requireNonNull(uris, "uris")));
  }

  /** How long the metastore may take to answer a call; 30 seconds if not said. */
  public HiveMetastore timeout(Duration timeout) {
    return new HiveMetastore(address.withTimeout(requireNonNull(timeout, "timeout")));
  }

  /**
   * Looks a table up.
   *
   * @param table the database and the name of the table, e.g. {@code default.customer_dimension}; a
   *     name alone is one in the database {@code default}
   * @return a dimension that has the table's location, format and columns, and the table's name
   * @throws dev.leat.LeatException {@code TABLE_NOT_FOUND}, {@code UNSUPPORTED_TABLE} or {@code
   *     UNSUPPORTED_COLUMN_TYPE} as the table is, {@code METASTORE_UNAVAILABLE} if the metastore
   *     does not answer
   */
  public HiveDimension dimension(String table) {
    TableName name = TableName.parse(requireNonNull(table, "table"));
    try (MetastoreClient client = MetastoreClient.open(address)) {
      HiveTable found = client.table(name);
      return HiveDimension.of(found, client.partitions(found));
    }
  }

  /** The URIs. */
  @Override
  public String toString() {
    return "HiveMetastore[" + address.text() + "]";
  }
}
