package dev.leat.spi;

import java.io.Serializable;
import java.util.Map;

/**
 * Settings of a store that are not secret and travel with a dimension's definition, e.g. an
 * endpoint.
 */
public interface StoreSettings extends Serializable {

  /**
   * The settings under the keys that the store's own client knows, e.g. {@code fs.s3a.endpoint};
   * never a secret.
   */
  Map<String, String> properties();

  /**
   * Whether a key is by its name that of a secret, e.g. {@code fs.s3a.secret.key}. Such a setting
   * is refused wherever settings travel or stand in clear, and its value is in no message.
   *
   * @param key a key, in any case
   */
  static boolean namesSecret(String key) {
    return SecretNames.contain(key);
  }
}
