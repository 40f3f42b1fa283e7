package dev.leat.hive.catalog;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.flink.table.api.ValidationException;

/** Keeps secrets out of a catalog's options, which everybody can see who may look at it. */
final class Secrets {
  private static final Pattern SECRET =
      Pattern.compile(
          "secret|password|passwd|token|access[._-]?key|encryption[._-]?key|private[._-]?key|credentials?$|\\.sse\\.");

  private Secrets() {}

  static void refuse(String what, Map<String, String> options) {
    for (String key : options.keySet()) {
      if (SECRET.matcher(key.toLowerCase(Locale.ROOT)).find()) {
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
