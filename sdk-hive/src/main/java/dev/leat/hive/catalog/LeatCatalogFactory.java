package dev.leat.hive.catalog;

import dev.leat.LeatException;
import dev.leat.hive.internal.HiveSite;
import dev.leat.hive.internal.MetastoreAddress;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.Catalog;
import org.apache.flink.table.factories.CatalogFactory;
import org.apache.flink.table.factories.FactoryUtil;

/**
 * Makes the catalog of {@code CREATE CATALOG … WITH ('type' = 'leat', …)}. Found by Flink's service
 * loader; the options are those of {@link LeatCatalogOptions}, and those of Leat tables, which then
 * hold for all tables of the catalog.
 */
public final class LeatCatalogFactory implements CatalogFactory {

  /** For the service loader. */
  public LeatCatalogFactory() {}

  @Override
  public String factoryIdentifier() {
    return LeatCatalogOptions.IDENTIFIER;
  }

  @Override
  public Set<ConfigOption<?>> requiredOptions() {
    return Set.of();
  }

  @Override
  public Set<ConfigOption<?>> optionalOptions() {
    return Set.of(
        LeatCatalogOptions.METASTORE_URIS,
        LeatCatalogOptions.HIVE_CONF_DIR,
        LeatCatalogOptions.METASTORE_TIMEOUT,
        LeatCatalogOptions.TIME_ZONE,
        LeatCatalogOptions.DEFAULT_DATABASE,
        LeatCatalogOptions.NEW_PARTITIONS);
  }

  @Override
  public Catalog createCatalog(Context context) {
    // Before Flink's own check, whose message repeats all options with their values.
    Secrets.refuse("catalog " + context.getName(), context.getOptions());
    FactoryUtil.CatalogFactoryHelper helper = FactoryUtil.createCatalogFactoryHelper(this, context);
    helper.validateExcept(LeatCatalogOptions.TABLE_PREFIXES.toArray(String[]::new));
    ReadableConfig options = helper.getOptions();
    Map<String, String> ofTables = new TreeMap<>(context.getOptions());
    ofTables
        .keySet()
        .removeIf(key -> LeatCatalogOptions.TABLE_PREFIXES.stream().noneMatch(key::startsWith));
    try {
      MetastoreAddress address =
          metastore(options).withTimeout(options.get(LeatCatalogOptions.METASTORE_TIMEOUT));
      return new LeatCatalog(
          context.getName(),
          options.get(LeatCatalogOptions.DEFAULT_DATABASE),
          address,
          timeZone(options.get(LeatCatalogOptions.TIME_ZONE)),
          options.get(LeatCatalogOptions.NEW_PARTITIONS),
          ofTables);
    } catch (IllegalArgumentException | LeatException e) {
      throw new ValidationException("Catalog " + context.getName() + ": " + e.getMessage(), e);
    }
  }

  private static ZoneId timeZone(String text) {
    try {
      return ZoneId.of(text).normalized();
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "'"
              + LeatCatalogOptions.TIME_ZONE.key()
              + "' = '"
              + text
              + "' is no time zone; write one such as UTC or Europe/Berlin",
          e);
    }
  }

  private static MetastoreAddress metastore(ReadableConfig options) {
    Optional<String> uris = options.getOptional(LeatCatalogOptions.METASTORE_URIS);
    Optional<String> folder = options.getOptional(LeatCatalogOptions.HIVE_CONF_DIR);
    if (uris.isPresent() == folder.isPresent()) {
      throw new IllegalArgumentException(
          "say where the metastore is by one of '"
              + LeatCatalogOptions.METASTORE_URIS.key()
              + "' = 'thrift://host:port' and '"
              + LeatCatalogOptions.HIVE_CONF_DIR.key()
              + "' = '/path/of/a/folder', not by "
              + (uris.isPresent() ? "both" : "neither"));
    }
    return folder
        .map(each -> HiveSite.in(each).metastore())
        .orElseGet(() -> MetastoreAddress.parse(uris.orElseThrow()));
  }
}
