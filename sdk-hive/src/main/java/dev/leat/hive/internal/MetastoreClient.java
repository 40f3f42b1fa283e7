package dev.leat.hive.internal;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import io.trino.hive.thrift.metastore.ClientCapabilities;
import io.trino.hive.thrift.metastore.ClientCapability;
import io.trino.hive.thrift.metastore.Database;
import io.trino.hive.thrift.metastore.GetTableRequest;
import io.trino.hive.thrift.metastore.MetaException;
import io.trino.hive.thrift.metastore.NoSuchObjectException;
import io.trino.hive.thrift.metastore.Partition;
import io.trino.hive.thrift.metastore.Table;
import io.trino.hive.thrift.metastore.ThriftHiveMetastore;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.TConfiguration;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.transport.TSocket;
import org.apache.thrift.transport.TTransportException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to a metastore, opened for a question or a few and closed again, since a metastore
 * drops idle ones. Only calls that all releases from 2.3 on serve. Used by one thread.
 */
public final class MetastoreClient implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MetastoreClient.class);

  /** As many as the metastore's own client asks for at a time. */
  private static final int PARTITIONS_AT_A_TIME = 300;

  private final URI server;
  private final TSocket socket;
  private final ThriftHiveMetastore.Client thrift;

  private MetastoreClient(URI server, TSocket socket, ThriftHiveMetastore.Client thrift) {
    this.server = server;
    this.socket = socket;
    this.thrift = thrift;
  }

  /**
   * Connects to the first server that answers.
   *
   * @throws LeatException {@code METASTORE_UNAVAILABLE} if none does
   */
  public static MetastoreClient open(MetastoreAddress address) {
    List<Exception> failures = new ArrayList<>();
    for (URI server : address.uris()) {
      try {
        return connect(server, Math.toIntExact(address.timeout().toMillis()));
      } catch (TException e) {
        LOG.debug("No connection to the metastore {}", server, e);
        failures.add(e);
      }
    }
    LeatException failure =
        new LeatException(
            ErrorCode.METASTORE_UNAVAILABLE,
            "no connection to the Hive metastore "
                + address.text()
                + " ("
                + failures.get(0).getMessage()
                + "); check the address, and that the metastore runs and takes connections without authentication",
            failures.get(0));
    failures.stream().skip(1).forEach(failure::addSuppressed);
    throw failure;
  }

  private static MetastoreClient connect(URI server, int timeoutMillis) throws TException {
    TSocket socket =
        new TSocket(
            new TConfiguration(), server.getHost(), server.getPort(), timeoutMillis, timeoutMillis);
    try {
      socket.open();
      ThriftHiveMetastore.Client thrift =
          new ThriftHiveMetastore.Client(new TBinaryProtocol(socket));
      introduce(thrift);
      return new MetastoreClient(server, socket, thrift);
    } catch (TException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  /** As Hive's own client does: a metastore that authorizes by storage asks who it is. */
  private static void introduce(ThriftHiveMetastore.Client thrift) throws TException {
    String hadoopUser = System.getenv("HADOOP_USER_NAME");
    String user = hadoopUser == null ? System.getProperty("user.name") : hadoopUser;
    try {
      thrift.setUgi(user, List.of());
    } catch (TApplicationException | MetaException e) {
      LOG.debug("The metastore does not want to know the user", e);
    }
  }

  /** The names of the databases. */
  public List<String> databases() {
    return ask("its databases", thrift::getAllDatabases);
  }

  /** A database, if it is there. */
  public Optional<HiveDatabase> database(String name) {
    return ask(
        "the database '" + name + "'",
        () -> {
          try {
            Database found = thrift.getDatabase(name);
            return Optional.of(
                new HiveDatabase(
                    found.getName(),
                    orEmpty(found.getDescription()),
                    orEmpty(found.getParameters())));
          } catch (NoSuchObjectException e) {
            return Optional.empty();
          }
        });
  }

  /** The names of the tables and views of a database. */
  public List<String> tables(String database) {
    return ask("the tables of '" + database + "'", () -> thrift.getAllTables(database));
  }

  /** The names of the views of a database. */
  public List<String> views(String database) {
    return ask(
        "the views of '" + database + "'",
        () -> thrift.getTablesByType(database, "*", HiveTable.VIEW));
  }

  /** Whether there is a table or view of a name. */
  public boolean exists(TableName name) {
    return find(name).isPresent();
  }

  /**
   * The definition of a table.
   *
   * @throws LeatException {@code TABLE_NOT_FOUND}, {@code UNSUPPORTED_TABLE} or {@code
   *     UNSUPPORTED_COLUMN_TYPE}
   */
  public HiveTable table(TableName name) {
    Table found =
        find(name)
            .orElseThrow(
                () ->
                    new LeatException(
                        ErrorCode.TABLE_NOT_FOUND,
                        "there is no table "
                            + name
                            + " in the Hive metastore "
                            + server
                            + remedy(name)));
    return HiveTable.of(name, found);
  }

  private String remedy(TableName name) {
    return database(name.database()).isPresent()
        ? "; the database '" + name.database() + "' has " + shortened(tables(name.database()))
        : ", which has no database '" + name.database() + "', only " + shortened(databases());
  }

  private static String shortened(List<String> names) {
    int most = 20;
    List<String> sorted = names.stream().sorted().toList();
    return sorted.size() <= most
        ? sorted.toString()
        : sorted.subList(0, most) + " and " + (sorted.size() - most) + " more";
  }

  private Optional<Table> find(TableName name) {
    return ask(
        "the table " + name,
        () -> {
          try {
            return Optional.of(find(thrift, name));
          } catch (NoSuchObjectException e) {
            return Optional.empty();
          }
        });
  }

  /**
   * Says that insert-only tables are known, since a metastore hides them behind an error that says
   * nothing to a user.
   */
  private static Table find(ThriftHiveMetastore.Client thrift, TableName name) throws TException {
    GetTableRequest request = new GetTableRequest(name.database(), name.table());
    request.setCapabilities(new ClientCapabilities(List.of(ClientCapability.INSERT_ONLY_TABLES)));
    try {
      return thrift.getTableReq(request).getTable();
    } catch (TApplicationException e) {
      if (e.getType() != TApplicationException.UNKNOWN_METHOD) {
        throw e;
      }
      return thrift.getTable(name.database(), name.table());
    }
  }

  /**
   * The partitions of a table, in the order of their names.
   *
   * @throws LeatException {@code UNSUPPORTED_TABLE} if one of them cannot be read
   */
  public List<HivePartition> partitions(HiveTable table) {
    if (table.partitionColumns().isEmpty()) {
      return List.of();
    }
    List<String> names = partitionNames(table.name());
    List<HivePartition> partitions = new ArrayList<>(names.size());
    for (int from = 0; from < names.size(); from += PARTITIONS_AT_A_TIME) {
      List<String> some = names.subList(from, Math.min(names.size(), from + PARTITIONS_AT_A_TIME));
      for (Partition partition : partitions(table.name(), some)) {
        partitions.add(table.partition(partition));
      }
    }
    return List.copyOf(partitions);
  }

  /** The names of the partitions of a table, e.g. {@code dt=2026-11-29/country=DE}. */
  public List<String> partitionNames(TableName table) {
    return ask(
        "the partitions of " + table,
        () ->
            thrift.getPartitionNames(table.database(), table.table(), (short) -1).stream()
                .sorted()
                .toList());
  }

  private List<Partition> partitions(TableName table, List<String> names) {
    return ask(
        "the partitions of " + table,
        () -> thrift.getPartitionsByNames(table.database(), table.table(), names));
  }

  private <T> T ask(String what, Question<T> question) {
    try {
      return question.ask();
    } catch (TTransportException e) {
      throw new LeatException(
          ErrorCode.METASTORE_UNAVAILABLE,
          "the Hive metastore "
              + server
              + " went away or took too long while it was asked for "
              + what
              + " ("
              + e.getMessage()
              + "); check it, or give it more time with the timeout",
          e);
    } catch (TException e) {
      throw new LeatException(
          ErrorCode.METASTORE_UNAVAILABLE,
          "the Hive metastore "
              + server
              + " failed to give "
              + what
              + " ("
              + e.getMessage()
              + "); its log says more",
          e);
    }
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }

  static Map<String, String> orEmpty(@Nullable Map<String, String> parameters) {
    return parameters == null ? Map.of() : withoutNulls(parameters);
  }

  private static Map<String, String> withoutNulls(Map<String, String> parameters) {
    Map<String, String> present = new TreeMap<>();
    parameters.forEach(
        (key, value) -> {
          if (value != null) {
            present.put(key, value);
          }
        });
    return Collections.unmodifiableMap(present);
  }

  @Override
  public void close() {
    socket.close();
  }

  /** A call to the metastore. */
  private interface Question<T> {
    T ask() throws TException;
  }
}
