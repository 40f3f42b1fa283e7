package dev.leat.alluxio;

import dev.leat.spi.CacheTier;
import dev.leat.spi.CacheTierFactory;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Makes {@link Alluxio} of options. Loaded by name; users of Java start at {@link Alluxio}. */
public final class AlluxioTierFactory implements CacheTierFactory {
  private static final String URI_OPTION = "uri";
  private static final String MAPPING = "mapping";
  private static final String INDEX_ROOT = "index-root";

  /** For the service loader. */
  public AlluxioTierFactory() {}

  @Override
  public String identifier() {
    return "alluxio";
  }

  @Override
  public Map<String, String> options() {
    Map<String, String> options = new LinkedHashMap<>();
    options.put(
        URI_OPTION,
        "The cluster: alluxio://master:19998, or several masters, or ZooKeeper. By default the one that the path is in.");
    options.put(
        MAPPING,
        "Where locations of the under store appear in Alluxio: s3a://lake=/s3/lake, several separated by ';'. By default Alluxio's mount table tells.");
    options.put(
        INDEX_ROOT,
        "The directory in Alluxio below which indexes are published. By default /leat/indexes.");
    return options;
  }

  @Override
  public Set<String> schemes() {
    return Set.of("alluxio");
  }

  @Override
  public CacheTier create(URI location, Map<String, String> options) {
    Alluxio alluxio = Alluxio.at(cluster(location, options));
    String mappings = options.getOrDefault(MAPPING, "");
    for (String mapping : mappings.split(";", -1)) {
      if (mapping.isBlank()) {
        continue;
      }
      int equals = mapping.indexOf('=');
      if (equals < 0) {
        throw new IllegalArgumentException(
            "the mapping '"
                + mapping.strip()
                + "' has no '='; write the location of the under store, '=', and the path in Alluxio: s3a://lake=/s3/lake");
      }
      alluxio =
          alluxio.mapping(
              mapping.substring(0, equals).strip(), mapping.substring(equals + 1).strip());
    }
    String root = options.get(INDEX_ROOT);
    return root == null ? alluxio : alluxio.indexRoot(root);
  }

  private String cluster(URI location, Map<String, String> options) {
    String given = options.get(URI_OPTION);
    if (given != null) {
      return given;
    }
    if (identifier().equalsIgnoreCase(location.getScheme())) {
      return "alluxio://" + location.getRawAuthority();
    }
    throw new IllegalArgumentException(
        "the cluster is not known: the table is at a location of "
            + location.getScheme()
            + " and the option 'uri' is missing; write alluxio://master:19998");
  }
}
