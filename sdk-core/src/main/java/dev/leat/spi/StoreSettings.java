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
}
