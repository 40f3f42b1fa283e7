package dev.leat.testserver;

import java.nio.file.Path;

/**
 * A real Hive metastore on a database in memory. It has the database {@code default} and no tables
 * at first; tables are made in it by Hive's own client over thrift. It never looks at the data.
 */
public final class RealHiveMetastore implements AutoCloseable {

  private final TestServer server;

  private RealHiveMetastore(TestServer server) {
    this.server = server;
  }

  /**
   * Starts a metastore.
   *
   * @return the running metastore
   */
  public static RealHiveMetastore start() {
    return new RealHiveMetastore(TestServer.of(ServerKind.HIVE_METASTORE).start());
  }

  /**
   * Where it listens.
   *
   * @return the value of {@code hive.metastore.uris}, for example {@code thrift://127.0.0.1:12345}
   */
  public String uri() {
    return "thrift://127.0.0.1:" + port();
  }

  /**
   * The port where it listens.
   *
   * @return the port
   */
  public int port() {
    return Integer.parseInt(server.property("port"));
  }

  /**
   * How many connections came to the port since the start; those by which tables are made here do
   * not count.
   *
   * @return the number
   */
  public long connections() {
    return Long.parseLong(server.run("connections"));
  }

  /** Makes the metastore unreachable: connections are cut, nobody answers at the port. */
  public void shut() {
    server.run("shut");
  }

  /** Undoes {@link #shut}; the tables are still there. */
  public void open() {
    server.run("open");
  }

  /** Ends the process at once, as a crash would; its tables are lost. */
  public void kill() {
    server.kill();
  }

  /**
   * Makes a database.
   *
   * @param name its name
   */
  public void createDatabase(String name) {
    server.run("create-database name=" + name);
  }

  /**
   * Makes a table or a view.
   *
   * @param table its definition
   */
  public void createTable(HiveTable table) {
    server.run("create-table " + table.arguments());
  }

  /**
   * Replaces the definition of a table.
   *
   * @param table the new definition
   */
  public void alterTable(HiveTable table) {
    server.run("alter-table " + table.arguments());
  }

  /**
   * Drops a table; its data stays.
   *
   * @param database its database
   * @param name its name
   */
  public void dropTable(String database, String name) {
    server.run("drop-table database=" + database + " name=" + name);
  }

  /**
   * Adds a partition to a table.
   *
   * @param partition its definition
   */
  public void addPartition(HiveTable partition) {
    server.run("add-partition " + partition.arguments());
  }

  /**
   * Replaces the definition of a partition.
   *
   * @param partition the new definition
   */
  public void alterPartition(HiveTable partition) {
    server.run("alter-partition " + partition.arguments());
  }

  /**
   * Drops a partition; its data stays.
   *
   * @param partition the partition, of which nothing but the values counts
   */
  public void dropPartition(HiveTable partition) {
    server.run("drop-partition " + partition.arguments());
  }

  /**
   * Where the metastore's log is.
   *
   * @return the file
   */
  public Path log() {
    return server.log();
  }

  @Override
  public void close() {
    server.close();
  }
}
