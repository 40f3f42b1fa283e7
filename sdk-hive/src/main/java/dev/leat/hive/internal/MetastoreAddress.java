package dev.leat.hive.internal;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Where a metastore is. Immutable.
 *
 * @param uris its servers, in the order in which they are tried
 * @param timeout how long it may take to answer
 */
public record MetastoreAddress(List<URI> uris, Duration timeout) {
  private static final int DEFAULT_PORT = 9083;
  private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

  /** Copies the list. */
  public MetastoreAddress {
    uris = List.copyOf(uris);
    if (timeout.isNegative()
        || timeout.isZero()
        || timeout.compareTo(Duration.ofMillis(Integer.MAX_VALUE)) > 0) {
      throw new IllegalArgumentException(
          "a timeout of " + timeout + " makes no sense; use e.g. Duration.ofSeconds(30)");
    }
  }

  /** Reads {@code hive.metastore.uris}. */
  public static MetastoreAddress parse(String text) {
    List<URI> uris = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      uris.add(uri(part.strip(), text));
    }
    return new MetastoreAddress(uris, DEFAULT_TIMEOUT);
  }

  private static URI uri(String part, String all) {
    URI uri;
    try {
      uri = URI.create(part);
    } catch (IllegalArgumentException e) {
      throw wrong(all, "is no URI");
    }
    if (!"thrift".equalsIgnoreCase(uri.getScheme())) {
      throw wrong(all, "has a part of another scheme or of none");
    }
    if (uri.getRawUserInfo() != null) {
      throw new IllegalArgumentException(
          "the address of the metastore holds credentials; take them out: only metastores that want none are supported");
    }
    if (uri.getHost() == null) {
      throw wrong(all, "has a part without a host");
    }
    return uri.getPort() > 0 ? uri : URI.create("thrift://" + uri.getHost() + ":" + DEFAULT_PORT);
  }

  private static IllegalArgumentException wrong(String all, String what) {
    return new IllegalArgumentException(
        "the address of the metastore '"
            + all
            + "' "
            + what
            + "; write thrift://host:9083, several with commas between them");
  }

  /** The same servers with another time to answer. */
  public MetastoreAddress withTimeout(Duration newTimeout) {
    return new MetastoreAddress(uris, newTimeout);
  }

  /** The URIs as in {@code hive.metastore.uris}. */
  public String text() {
    return uris.stream().map(URI::toString).collect(Collectors.joining(","));
  }
}
