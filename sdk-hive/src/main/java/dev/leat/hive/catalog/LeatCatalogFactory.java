package dev.leat.hive.catalog;

import dev.leat.hive.internal.MetastoreAddress;
import java.util.Map;
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
    return Set.of(LeatCatalogOptions.METASTORE_URIS);
  }

  @Override
  public Set<ConfigOption<?>> optionalOptions() {
    return Set.of(
        LeatCatalogOptions.METASTORE_TIMEOUT,
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
          MetastoreAddress.parse(options.get(LeatCatalogOptions.METASTORE_URIS))
              .withTimeout(options.get(LeatCatalogOptions.METASTORE_TIMEOUT));
      return new LeatCatalog(
          context.getName(),
          options.get(LeatCatalogOptions.DEFAULT_DATABASE),
          address,
          options.get(LeatCatalogOptions.NEW_PARTITIONS),
          ofTables);
    } catch (IllegalArgumentException e) {
      throw new ValidationException("Catalog " + context.getName() + ": " + e.getMessage(), e);
    }
  }
}
