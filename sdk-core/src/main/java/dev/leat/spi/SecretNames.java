package dev.leat.spi;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Tells by its name which setting holds a secret, so that it is refused where settings are open.
 */
final class SecretNames {
  private static final Pattern SECRET =
      Pattern.compile(
          "secret|password|passwd|token|access[._-]?key|encryption[._-]?key|private[._-]?key|credentials?$|\\.sse\\.");

  private SecretNames() {}

  static boolean contain(String key) {
    return SECRET.matcher(key.toLowerCase(Locale.ROOT)).find();
  }
}
