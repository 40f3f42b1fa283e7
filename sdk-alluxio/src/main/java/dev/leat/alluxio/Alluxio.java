package dev.leat.alluxio;

import static java.util.Objects.requireNonNull;

import dev.leat.spi.RemoteTier;
import dev.leat.spi.RemoteTierStore;
import dev.leat.spi.StoreContext;
import java.io.IOException;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * An Alluxio cluster as a cache tier. Immutable: each method returns a changed copy.
 *
 * <pre>{@code
 * .cachedIn(Alluxio.at("alluxio://master:19998").mapping("s3a://lake", "/s3/lake"))
 * }</pre>
 *
 * <p>Alluxio's bytes are used only where its metadata proves that they are those that the source
 * lists now; else the file is read from the source. What the tier needs of Alluxio's configuration
 * comes from {@code alluxio-site.properties} on the class path, from {@code alluxio.*} keys of
 * Flink's configuration, and from {@link #property}, the last of which wins. Calls give up after
 * seconds, not after the minutes that Alluxio's client takes by itself ({@code docs/stores.md}).
 */
public final class Alluxio implements RemoteTier {
  private static final long serialVersionUID = 1L;

  private static final String DEFAULT_INDEX_ROOT = "/leat/indexes";
  private static final Pattern SECRET =
      Pattern.compile("secret|password|passwd|token|access[._-]?key|private[._-]?key|credential");

  private final URI uri;
  private final Map<String, String> mappings;
  private final String indexRoot;
  private final Map<String, String> properties;
  private final AlluxioClients clients;

  private Alluxio(
      URI uri,
      Map<String, String> mappings,
      String indexRoot,
      Map<String, String> properties,
      AlluxioClients clients) {
    this.uri = uri;
    this.mappings = mappings;
    this.indexRoot = indexRoot;
    this.properties = properties;
    this.clients = clients;
  }

  /**
   * The cluster of a master, of several masters, or of those that ZooKeeper elects.
   *
   * @param uri e.g. {@code alluxio://master:19998}, {@code alluxio://m1:19998,m2:19998,m3:19998} or
   *     {@code alluxio://zk@z1:2181,z2:2181}; the latter needs {@code curator-framework} on the
   *     class path
   * @throws IllegalArgumentException if it is no such URI
   */
  public static Alluxio at(String uri) {
    return new Alluxio(
        MasterAddress.check(requireNonNull(uri, "uri")),
        Map.of(),
        DEFAULT_INDEX_ROOT,
        Map.of(),
        new LiveClients());
  }

  /**
   * Says where in Alluxio a location of the under store appears. Without any mapping, Alluxio's
   * mount table tells.
   *
   * @param underStore e.g. {@code s3a://lake} or {@code s3a://lake/tables}
   * @param path the path in Alluxio, e.g. {@code /s3/lake}
   */
  public Alluxio mapping(String underStore, String path) {
    Map<String, String> changed = new LinkedHashMap<>(mappings);
    changed.put(
        Mounts.checkUnderStore(requireNonNull(underStore, "underStore")),
        Mounts.checkPath(requireNonNull(path, "path")));
    return new Alluxio(uri, Map.copyOf(changed), indexRoot, properties, clients);
  }

  /**
   * The directory below which indexes are published; {@code /leat/indexes} if not called. They are
   * written through to the under store that is mounted there, so that they outlive an eviction.
   * Never below a dimension's own location.
   *
   * @param path an absolute path in Alluxio
   */
  public Alluxio indexRoot(String path) {
    return new Alluxio(
        uri, mappings, Mounts.checkPath(requireNonNull(path, "path")), properties, clients);
  }

  /**
   * Sets a property of Alluxio's client, e.g. {@code alluxio.user.block.read.retry.max.duration}.
   *
   * @throws IllegalArgumentException if the key is not one of Alluxio, or names a secret, which
   *     this object, travelling in clear, must not hold; the message never has the value
   */
  public Alluxio property(String key, String value) {
    requireNonNull(key, "key");
    requireNonNull(value, "value");
    if (!key.startsWith("alluxio.")) {
      throw new IllegalArgumentException(
          "'" + key + "' is no property of Alluxio; its keys begin with alluxio.");
    }
    if (SECRET.matcher(key.toLowerCase(Locale.ROOT)).find()) {
      throw new IllegalArgumentException(
          "'"
              + key
              + "' names a secret, and these settings travel in clear; put it into alluxio-site.properties or Flink's configuration (docs/stores.md)");
    }
    Map<String, String> changed = new LinkedHashMap<>(properties);
    changed.put(key, value);
    return new Alluxio(uri, mappings, indexRoot, Map.copyOf(changed), clients);
  }

  /** Opens Alluxio's client in another way, as a test does. */
  public Alluxio clients(AlluxioClients clients) {
    return new Alluxio(uri, mappings, indexRoot, properties, requireNonNull(clients, "clients"));
  }

  @Override
  public String tierName() {
    return "alluxio";
  }

  @Override
  public boolean owns(URI location) {
    return "alluxio".equalsIgnoreCase(location.getScheme())
        && (location.getRawAuthority() == null
            || location.getRawAuthority().equals(uri.getRawAuthority()));
  }

  @Override
  public RemoteTierStore open(StoreContext context) throws IOException {
    AlluxioStore store = AlluxioStore.open(uri, clients, context, properties, indexRoot);
    return new AlluxioTierStore(store, new Mounts(mappings, store), store.uri(indexRoot));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Alluxio that
        && uri.equals(that.uri)
        && mappings.equals(that.mappings)
        && indexRoot.equals(that.indexRoot)
        && properties.equals(that.properties)
        && clients.equals(that.clients);
  }

  @Override
  public int hashCode() {
    return Objects.hash(uri, mappings, indexRoot, properties, clients);
  }

  @Override
  public String toString() {
    return "Alluxio[" + uri + ", indexes under " + indexRoot + "]";
  }
}
