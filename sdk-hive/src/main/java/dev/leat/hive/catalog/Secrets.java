package dev.leat.hive.catalog;

import dev.leat.spi.StoreSettings;
import java.util.Map;
import org.apache.flink.table.api.ValidationException;

/** Keeps secrets out of a catalog's options, which everybody can see who may look at it. */
final class Secrets {

  private Secrets() {}

  static void refuse(String what, Map<String, String> options) {
    for (String key : options.keySet()) {
      if (StoreSettings.namesSecret(key)) {
        throw new ValidationException(
            "The option '"
                + key
                + "' of the "
                + what
                + " names a secret, and options stand in clear in the session and in the job; put it into Flink's or Hadoop's configuration, a credential file or the environment");
      }
    }
  }
}
