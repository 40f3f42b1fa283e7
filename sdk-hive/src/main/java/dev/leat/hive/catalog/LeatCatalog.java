package dev.leat.hive.catalog;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.hive.catalog.LeatCatalogOptions.NewPartitions;
import dev.leat.hive.internal.HiveDatabase;
import dev.leat.hive.internal.HivePartition;
import dev.leat.hive.internal.HiveTable;
import dev.leat.hive.internal.MetastoreAddress;
import dev.leat.hive.internal.MetastoreClient;
import dev.leat.hive.internal.TableName;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.flink.table.catalog.AbstractCatalog;
import org.apache.flink.table.catalog.CatalogBaseTable;
import org.apache.flink.table.catalog.CatalogBaseTable.TableKind;
import org.apache.flink.table.catalog.CatalogDatabase;
import org.apache.flink.table.catalog.CatalogDatabaseImpl;
import org.apache.flink.table.catalog.CatalogFunction;
import org.apache.flink.table.catalog.CatalogPartition;
import org.apache.flink.table.catalog.CatalogPartitionImpl;
import org.apache.flink.table.catalog.CatalogPartitionSpec;
import org.apache.flink.table.catalog.ObjectPath;
import org.apache.flink.table.catalog.exceptions.CatalogException;
import org.apache.flink.table.catalog.exceptions.DatabaseNotExistException;
import org.apache.flink.table.catalog.exceptions.FunctionNotExistException;
import org.apache.flink.table.catalog.exceptions.PartitionNotExistException;
import org.apache.flink.table.catalog.exceptions.TableAlreadyExistException;
import org.apache.flink.table.catalog.exceptions.TableNotExistException;
import org.apache.flink.table.catalog.exceptions.TableNotPartitionedException;
import org.apache.flink.table.catalog.stats.CatalogColumnStatistics;
import org.apache.flink.table.catalog.stats.CatalogTableStatistics;
import org.apache.flink.table.expressions.Expression;

/**
 * Shows the tables of a Hive metastore as Leat tables, and never writes to the metastore. Each call
 * is a connection of its own, which the program that plans a query makes; nothing of this goes to a
 * task.
 *
 * <p>{@code CREATE TABLE} and {@code CREATE VIEW} make tables that live as long as the catalog
 * object, as those of Flink's default catalog do: so a stream can be declared beside the table that
 * it is joined with, and both have short names.
 */
final class LeatCatalog extends AbstractCatalog {
  private static final long UNKNOWN = -1;

  private final MetastoreAddress address;
  private final ZoneId timeZone;
  private final NewPartitions newPartitions;
  private final Map<String, String> optionsOfTables;
  private final Map<ObjectPath, CatalogBaseTable> ofSession = new ConcurrentHashMap<>();

  /**
   * A catalog.
   *
   * @param timeZone where instants in files are shown
   * @param optionsOfTables what holds for each table that does not say otherwise
   */
  LeatCatalog(
      String name,
      String defaultDatabase,
      MetastoreAddress address,
      ZoneId timeZone,
      NewPartitions newPartitions,
      Map<String, String> optionsOfTables) {
    super(name, defaultDatabase);
    this.address = address;
    this.timeZone = timeZone;
    this.newPartitions = newPartitions;
    this.optionsOfTables = Map.copyOf(optionsOfTables);
  }

  /** Asks for the default database, so that a wrong address shows at {@code CREATE CATALOG}. */
  @Override
  public void open() {
    if (!databaseExists(getDefaultDatabase())) {
      throw new CatalogException(
          "Catalog "
              + getName()
              + ": the Hive metastore "
              + address.text()
              + " has no database '"
              + getDefaultDatabase()
              + "', only "
              + listDatabases()
              + "; set '"
              + LeatCatalogOptions.DEFAULT_DATABASE.key()
              + "'");
    }
  }

  @Override
  public void close() {
    // Connections live as long as a call.
  }

  @Override
  public List<String> listDatabases() {
    return ask(MetastoreClient::databases);
  }

  @Override
  public CatalogDatabase getDatabase(String name) throws DatabaseNotExistException {
    HiveDatabase database =
        ask(client -> client.database(name))
            .orElseThrow(() -> new DatabaseNotExistException(getName(), name));
    return new CatalogDatabaseImpl(database.parameters(), database.comment());
  }

  @Override
  public boolean databaseExists(String name) {
    return ask(client -> client.database(name)).isPresent();
  }

  /** Tables and views, those too that cannot be read: asking for one says why. */
  @Override
  public List<String> listTables(String database) throws DatabaseNotExistException {
    return withSession(
        ofDatabase(database, client -> client.tables(database)), database, table -> true);
  }

  @Override
  public List<String> listViews(String database) throws DatabaseNotExistException {
    return withSession(
        ofDatabase(database, client -> client.views(database)),
        database,
        table -> table.getTableKind() == TableKind.VIEW);
  }

  private List<String> withSession(
      List<String> names, String database, Predicate<CatalogBaseTable> kind) {
    List<String> all = new ArrayList<>(names);
    ofSession.forEach(
        (path, table) -> {
          if (path.getDatabaseName().equals(database) && kind.test(table)) {
            all.add(path.getObjectName());
          }
        });
    return all.stream().sorted().toList();
  }

  private List<String> ofDatabase(String database, Function<MetastoreClient, List<String>> names)
      throws DatabaseNotExistException {
    Optional<List<String>> found =
        ask(
            client ->
                client.database(database).isPresent()
                    ? Optional.of(names.apply(client))
                    : Optional.empty());
    return found.orElseThrow(() -> new DatabaseNotExistException(getName(), database));
  }

  @Override
  public CatalogBaseTable getTable(ObjectPath path) throws TableNotExistException {
    CatalogBaseTable own = ofSession.get(path);
    if (own != null) {
      return own;
    }
    HiveTable table = table(path);
    return HiveCatalogTable.of(table, optionsOfTables, address, newPartitions);
  }

  @Override
  public boolean tableExists(ObjectPath path) {
    return ofSession.containsKey(path) || ask(client -> client.exists(nameOf(path)));
  }

  @Override
  public List<CatalogPartitionSpec> listPartitions(ObjectPath path)
      throws TableNotExistException, TableNotPartitionedException {
    HiveTable table = partitioned(path);
    List<CatalogPartitionSpec> specs = new ArrayList<>();
    for (HivePartition partition : ask(client -> client.partitions(table))) {
      specs.add(spec(table, partition));
    }
    return specs;
  }

  @Override
  public List<CatalogPartitionSpec> listPartitions(ObjectPath path, CatalogPartitionSpec spec)
      throws TableNotExistException, TableNotPartitionedException {
    return listPartitions(path).stream()
        .filter(
            each ->
                each.getPartitionSpec().entrySet().containsAll(spec.getPartitionSpec().entrySet()))
        .toList();
  }

  /** Not offered: filters prune the partitions when the table is read. */
  @Override
  public List<CatalogPartitionSpec> listPartitionsByFilter(
      ObjectPath path, List<Expression> filters)
      throws TableNotExistException, TableNotPartitionedException {
    throw new UnsupportedOperationException(
        "Catalog " + getName() + " leaves the choice of partitions to the tables");
  }

  @Override
  public CatalogPartition getPartition(ObjectPath path, CatalogPartitionSpec spec)
      throws PartitionNotExistException {
    try {
      HiveTable table = partitioned(path);
      for (HivePartition partition : ask(client -> client.partitions(table))) {
        if (spec(table, partition).equals(spec)) {
          return new CatalogPartitionImpl(Map.of("path", partition.location().toString()), "");
        }
      }
    } catch (TableNotExistException | TableNotPartitionedException e) {
      throw new PartitionNotExistException(getName(), path, spec, e);
    }
    throw new PartitionNotExistException(getName(), path, spec);
  }

  @Override
  public boolean partitionExists(ObjectPath path, CatalogPartitionSpec spec) {
    try {
      return listPartitions(path).contains(spec);
    } catch (TableNotExistException | TableNotPartitionedException e) {
      return false;
    }
  }

  private static CatalogPartitionSpec spec(HiveTable table, HivePartition partition) {
    Map<String, String> values = new LinkedHashMap<>();
    for (int i = 0; i < table.partitionColumns().size(); i++) {
      String value = partition.values().get(i);
      values.put(
          table.partitionColumns().get(i).name(),
          value == null ? HiveTable.DEFAULT_PARTITION : value);
    }
    return new CatalogPartitionSpec(values);
  }

  @Override
  public CatalogTableStatistics getTableStatistics(ObjectPath path) throws TableNotExistException {
    if (ofSession.containsKey(path)) {
      return CatalogTableStatistics.UNKNOWN;
    }
    Map<String, String> parameters = table(path).parameters();
    long rows = number(parameters, "numRows");
    return rows < 0
        ? CatalogTableStatistics.UNKNOWN
        : new CatalogTableStatistics(
            rows,
            (int) Math.max(0, Math.min(Integer.MAX_VALUE, number(parameters, "numFiles"))),
            number(parameters, "totalSize"),
            number(parameters, "rawDataSize"));
  }

  private static long number(Map<String, String> parameters, String key) {
    String text = parameters.getOrDefault(key, "");
    return text.matches("\\d{1,18}") ? Long.parseLong(text) : UNKNOWN;
  }

  @Override
  public CatalogColumnStatistics getTableColumnStatistics(ObjectPath path) {
    return CatalogColumnStatistics.UNKNOWN;
  }

  @Override
  public CatalogTableStatistics getPartitionStatistics(ObjectPath path, CatalogPartitionSpec spec) {
    return CatalogTableStatistics.UNKNOWN;
  }

  @Override
  public CatalogColumnStatistics getPartitionColumnStatistics(
      ObjectPath path, CatalogPartitionSpec spec) {
    return CatalogColumnStatistics.UNKNOWN;
  }

  private HiveTable table(ObjectPath path) throws TableNotExistException {
    try (MetastoreClient client = MetastoreClient.open(address)) {
      return client.table(nameOf(path)).inTimeZone(timeZone);
    } catch (LeatException e) {
      if (e.errorCode() == ErrorCode.TABLE_NOT_FOUND) {
        throw new TableNotExistException(getName(), path, e);
      }
      throw failure(e);
    }
  }

  private HiveTable partitioned(ObjectPath path)
      throws TableNotExistException, TableNotPartitionedException {
    HiveTable table = table(path);
    if (table.partitionColumns().isEmpty()) {
      throw new TableNotPartitionedException(getName(), path);
    }
    return table;
  }

  private static TableName nameOf(ObjectPath path) {
    return new TableName(path.getDatabaseName(), path.getObjectName());
  }

  private <T> T ask(Function<MetastoreClient, T> question) {
    try (MetastoreClient client = MetastoreClient.open(address)) {
      return question.apply(client);
    } catch (LeatException e) {
      throw failure(e);
    }
  }

  private CatalogException failure(LeatException e) {
    return new CatalogException("Catalog " + getName() + ": " + e.getMessage(), e);
  }

  @Override
  public List<String> listFunctions(String database) {
    return List.of();
  }

  @Override
  public CatalogFunction getFunction(ObjectPath path) throws FunctionNotExistException {
    throw new FunctionNotExistException(getName(), path);
  }

  @Override
  public boolean functionExists(ObjectPath path) {
    return false;
  }

  @Override
  public void createDatabase(String name, CatalogDatabase database, boolean ignoreIfExists) {
    throw readOnly();
  }

  @Override
  public void dropDatabase(String name, boolean ignoreIfNotExists, boolean cascade) {
    throw readOnly();
  }

  @Override
  public void alterDatabase(String name, CatalogDatabase database, boolean ignoreIfNotExists) {
    throw readOnly();
  }

  @Override
  public void createTable(ObjectPath path, CatalogBaseTable table, boolean ignoreIfExists)
      throws TableAlreadyExistException, DatabaseNotExistException {
    if (!databaseExists(path.getDatabaseName())) {
      throw new DatabaseNotExistException(getName(), path.getDatabaseName());
    }
    boolean taken =
        ask(client -> client.exists(nameOf(path))) || ofSession.putIfAbsent(path, table) != null;
    if (taken && !ignoreIfExists) {
      throw new TableAlreadyExistException(getName(), path);
    }
  }

  @Override
  public void dropTable(ObjectPath path, boolean ignoreIfNotExists) throws TableNotExistException {
    if (ofSession.remove(path) == null) {
      refuse(path, ignoreIfNotExists);
    }
  }

  @Override
  public void renameTable(ObjectPath path, String newName, boolean ignoreIfNotExists)
      throws TableNotExistException, TableAlreadyExistException {
    CatalogBaseTable own = ofSession.get(path);
    if (own == null) {
      refuse(path, ignoreIfNotExists);
      return;
    }
    ObjectPath renamed = new ObjectPath(path.getDatabaseName(), newName);
    if (tableExists(renamed)) {
      throw new TableAlreadyExistException(getName(), renamed);
    }
    ofSession.put(renamed, own);
    ofSession.remove(path);
  }

  @Override
  public void alterTable(ObjectPath path, CatalogBaseTable table, boolean ignoreIfNotExists)
      throws TableNotExistException {
    if (ofSession.replace(path, table) == null) {
      refuse(path, ignoreIfNotExists);
    }
  }

  /** Of a table that is not one of the session. */
  private void refuse(ObjectPath path, boolean ignoreIfNotExists) throws TableNotExistException {
    if (ask(client -> client.exists(nameOf(path)))) {
      throw readOnly();
    }
    if (!ignoreIfNotExists) {
      throw new TableNotExistException(getName(), path);
    }
  }

  @Override
  public void createPartition(
      ObjectPath path, CatalogPartitionSpec spec, CatalogPartition partition, boolean ignore) {
    throw readOnly();
  }

  @Override
  public void dropPartition(ObjectPath path, CatalogPartitionSpec spec, boolean ignore) {
    throw readOnly();
  }

  @Override
  public void alterPartition(
      ObjectPath path, CatalogPartitionSpec spec, CatalogPartition partition, boolean ignore) {
    throw readOnly();
  }

  @Override
  public void createFunction(ObjectPath path, CatalogFunction function, boolean ignoreIfExists) {
    throw readOnly();
  }

  @Override
  public void alterFunction(ObjectPath path, CatalogFunction function, boolean ignore) {
    throw readOnly();
  }

  @Override
  public void dropFunction(ObjectPath path, boolean ignoreIfNotExists) {
    throw readOnly();
  }

  @Override
  public void alterTableStatistics(
      ObjectPath path, CatalogTableStatistics statistics, boolean ignore) {
    throw readOnly();
  }

  @Override
  public void alterTableColumnStatistics(
      ObjectPath path, CatalogColumnStatistics statistics, boolean ignore) {
    throw readOnly();
  }

  @Override
  public void alterPartitionStatistics(
      ObjectPath path,
      CatalogPartitionSpec spec,
      CatalogTableStatistics statistics,
      boolean ignore) {
    throw readOnly();
  }

  @Override
  public void alterPartitionColumnStatistics(
      ObjectPath path,
      CatalogPartitionSpec spec,
      CatalogColumnStatistics statistics,
      boolean ignore) {
    throw readOnly();
  }

  private UnsupportedOperationException readOnly() {
    return new UnsupportedOperationException(
        "Catalog "
            + getName()
            + " only shows what the Hive metastore has and does not change it; do that in Hive");
  }
}
