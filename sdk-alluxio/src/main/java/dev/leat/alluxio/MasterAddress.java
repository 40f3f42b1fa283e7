package dev.leat.alluxio;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** The authority of an Alluxio URI: one master, several, or ZooKeeper. */
final class MasterAddress {

  private static final Pattern HOSTS = Pattern.compile("[^,;@/:]+:\\d+([,;+][^,;@/:]+:\\d+)*");

  private MasterAddress() {}

  /** The URI of the cluster, without a path. */
  static URI check(String uri) {
    URI parsed;
    try {
      parsed = URI.create(uri);
    } catch (IllegalArgumentException e) {
      // Without the cause, which repeats the whole text.
      throw new IllegalArgumentException(
          "'" + withoutCredentials(uri) + "' is no URI; write alluxio://master:19998");
    }
    if (!"alluxio".equalsIgnoreCase(parsed.getScheme())) {
      throw new IllegalArgumentException(
          "'" + withoutCredentials(uri) + "' is not on Alluxio; write alluxio://master:19998");
    }
    String authority = parsed.getRawAuthority();
    if (authority == null) {
      throw new IllegalArgumentException(
          "'"
              + uri
              + "' names no master; write alluxio://master:19998, or list the masters: alluxio://m1:19998,m2:19998");
    }
    properties(authority);
    return URI.create("alluxio://" + authority);
  }

  /** What stands before an {@code @}, unless it is ZooKeeper's mark, may be a password. */
  private static String withoutCredentials(String uri) {
    return uri.replaceFirst("//(?!zk@)[^/]*@", "//***@");
  }

  /** What tells Alluxio's client where its masters are. */
  static Map<String, String> properties(String authority) {
    boolean zookeeper = authority.startsWith("zk@");
    String hosts = zookeeper ? authority.substring("zk@".length()) : authority;
    if (!HOSTS.matcher(hosts).matches()) {
      throw new IllegalArgumentException(
          "'alluxio://"
              + withoutCredentials("//" + authority).substring(2)
              + "' is no list of hosts and ports; write alluxio://master:19998 or alluxio://m1:19998,m2:19998 or alluxio://zk@z1:2181,z2:2181");
    }
    String[] list = hosts.split("[,;+]", -1);
    Map<String, String> properties = new LinkedHashMap<>();
    if (zookeeper) {
      properties.put("alluxio.zookeeper.enabled", "true");
      properties.put("alluxio.zookeeper.address", String.join(",", list));
    } else if (list.length > 1) {
      properties.put("alluxio.zookeeper.enabled", "false");
      properties.put("alluxio.master.rpc.addresses", String.join(",", list));
    } else {
      properties.put("alluxio.zookeeper.enabled", "false");
      properties.put("alluxio.master.hostname", hosts.substring(0, hosts.lastIndexOf(':')));
      properties.put("alluxio.master.rpc.port", hosts.substring(hosts.lastIndexOf(':') + 1));
    }
    return properties;
  }
}
