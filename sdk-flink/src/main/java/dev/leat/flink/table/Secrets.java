package dev.leat.flink.table;

import dev.leat.spi.StoreSettings;
import java.util.Map;
import org.apache.flink.table.api.ValidationException;

/**
 * Keeps secrets out of a table's options, which everybody can see who may look at the catalog, the
 * plan or the job.
 */
final class Secrets {

  private Secrets() {}

  /**
   * Refuses options that hold a secret; the message never has a value.
   *
   * @param table the table's name, for the message
   */
  static void refuse(String table, Map<String, String> options) {
    options.forEach(
        (key, value) -> {
          if (StoreSettings.namesSecret(key)) {
            throw new ValidationException(
                "The option '"
                    + key
                    + "' of the table "
                    + table
                    + " names a secret, and the options of a table stand in clear in the catalog, in"
                    + " SHOW CREATE TABLE and in the job; drop the table, change the secret, and put"
                    + " it into Flink's or Hadoop's configuration, a credential file or the"
                    + " environment (docs/stores.md)");
          }
        });
  }
}
