package dev.leat.flink.table;

import dev.leat.LeatException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.factories.DynamicTableSourceFactory;
import org.apache.flink.table.factories.FactoryUtil;

/**
 * Makes the source of a table {@code WITH ('connector' = 'leat', …)}. Found by Flink's service
 * loader; the options are those of {@link LeatOptions}.
 */
public final class LeatTableFactory implements DynamicTableSourceFactory {

  /** For the service loader. */
  public LeatTableFactory() {}

  @Override
  public String factoryIdentifier() {
    return LeatOptions.IDENTIFIER;
  }

  @Override
  public Set<ConfigOption<?>> requiredOptions() {
    return LeatOptions.required();
  }

  @Override
  public Set<ConfigOption<?>> optionalOptions() {
    return LeatOptions.optional();
  }

  @Override
  public DynamicTableSource createDynamicTableSource(Context context) {
    Map<String, String> raw = context.getCatalogTable().getOptions();
    String table = context.getObjectIdentifier().asSummaryString();
    // Before Flink's own check, whose message repeats all options with their values.
    Secrets.refuse(table, raw);
    FactoryUtil.TableFactoryHelper helper = FactoryUtil.createTableFactoryHelper(this, context);
    List<String> prefixes = new ArrayList<>();
    prefixes.add(LeatOptions.PROPERTIES_PREFIX);
    helper
        .getOptions()
        .getOptional(LeatOptions.FORMAT)
        .ifPresent(format -> prefixes.add(format + "."));
    TableOptions.tierFactories(context.getClassLoader()).values().stream()
        .map(TableOptions::prefix)
        .forEach(prefixes::add);
    helper.validateExcept(prefixes.toArray(String[]::new));
    try {
      return new LeatTableSource(
          TableDefinition.of(
              context.getObjectIdentifier(),
              context.getCatalogTable(),
              context.getPhysicalRowDataType(),
              new TableOptions(table, helper.getOptions(), raw, context.getClassLoader())));
    } catch (LeatException | IllegalArgumentException e) {
      throw new ValidationException("Table " + table + ": " + e.getMessage(), e);
    }
  }
}
