package dev.leat.s3;

import static java.util.Objects.requireNonNull;

import dev.leat.spi.StoreSettings;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How to reach a bucket, for what the configuration of Flink or Hadoop on the TaskManagers does not
 * say. Immutable: each method returns a changed copy.
 *
 * <pre>{@code
 * Dimension.named("customers").at("s3a://lake/customers/", S3.settings().region("eu-west-1"))
 * }</pre>
 *
 * <p>These settings travel with the job in clear, so they never hold a secret: a key that names one
 * is refused. {@code docs/stores.md} says where credentials belong.
 */
public final class S3 implements StoreSettings {
  private static final long serialVersionUID = 1L;

  private static final S3 NOTHING = new S3(Map.of());

  private final Map<String, String> properties;

  private S3(Map<String, String> properties) {
    this.properties = properties;
  }

  /** Settings that say nothing yet: S3A's own defaults hold. */
  public static S3 settings() {
    return NOTHING;
  }

  /**
   * The server, where it is not Amazon's own or a certain one of Amazon's, e.g. {@code
   * http://minio:9000}.
   *
   * @throws IllegalArgumentException if it is not a URL, or has a user and password in it
   */
  public S3 endpoint(String endpoint) {
    String text = requireNonNull(endpoint, "endpoint");
    URI uri;
    try {
      uri = URI.create(text.contains("://") ? text : "https://" + text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "The endpoint is not a URL; give one like https://s3.eu-west-1.amazonaws.com");
    }
    if (uri.getRawUserInfo() != null
        || (uri.getRawAuthority() != null && uri.getRawAuthority().contains("@"))) {
      throw new IllegalArgumentException(
          "The endpoint has credentials in it; remove them and see docs/stores.md for where they belong");
    }
    if (uri.getRawAuthority() == null) {
      throw new IllegalArgumentException(
          "The endpoint '"
              + text
              + "' names no host; give one like https://s3.eu-west-1.amazonaws.com");
    }
    return with("fs.s3a.endpoint", text);
  }

  /** The region of the bucket, e.g. {@code eu-west-1}. */
  public S3 region(String region) {
    return with("fs.s3a.endpoint.region", requireNonNull(region, "region"));
  }

  /**
   * Puts the bucket's name into the path instead of the host's name, as most servers other than
   * Amazon's need it.
   */
  public S3 pathStyleAccess() {
    return with("fs.s3a.path.style.access", "true");
  }

  /**
   * Where Hadoop's credential files are, which hold keys encrypted, e.g. {@code
   * jceks://file/etc/leat/s3.jceks}.
   */
  public S3 credentialProviderPath(String path) {
    return with("hadoop.security.credential.provider.path", requireNonNull(path, "path"));
  }

  /**
   * Any other property of S3A, e.g. {@code fs.s3a.connection.maximum}.
   *
   * @throws IllegalArgumentException if the key is not one of S3A or Hadoop, or names a secret; the
   *     message never has the value
   */
  public S3 property(String key, String value) {
    requireNonNull(key, "key");
    requireNonNull(value, "value");
    if (!key.startsWith("fs.") && !key.startsWith("hadoop.")) {
      throw new IllegalArgumentException(
          "'" + key + "' is no property of S3A; its keys begin with fs.s3a. or hadoop.");
    }
    if (StoreSettings.namesSecret(key)) {
      throw new IllegalArgumentException(
          "'"
              + key
              + "' names a secret, and these settings travel in clear; put it into Flink's or Hadoop's configuration, a credential file or the environment (docs/stores.md)");
    }
    return with(key, value);
  }

  @Override
  public Map<String, String> properties() {
    return properties;
  }

  private S3 with(String key, String value) {
    Map<String, String> changed = new LinkedHashMap<>(properties);
    changed.put(key, value);
    return new S3(Map.copyOf(changed));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof S3 that && properties.equals(that.properties);
  }

  @Override
  public int hashCode() {
    return properties.hashCode();
  }

  /** The keys only. */
  @Override
  public String toString() {
    return "S3" + properties.keySet().stream().sorted().toList();
  }
}
