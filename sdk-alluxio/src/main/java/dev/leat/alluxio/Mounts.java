package dev.leat.alluxio;

import alluxio.wire.MountPointInfo;
import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.spi.Blob;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where locations of the under store appear in Alluxio, and the other way round: as configured,
 * else as Alluxio's mount table says.
 */
final class Mounts {

  private final Map<String, String> configured;
  private final AlluxioStore store;
  private volatile @Nullable List<Mount> known;

  Mounts(Map<String, String> configured, AlluxioStore store) {
    this.configured = configured;
    this.store = store;
  }

  static String checkUnderStore(String underStore) {
    URI uri;
    try {
      uri = URI.create(underStore);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "The under store '" + underStore + "' is no URI; write s3a://bucket", e);
    }
    if (uri.getScheme() == null || uri.getScheme().equals("alluxio")) {
      throw new IllegalArgumentException(
          "The under store '"
              + underStore
              + "' must be the store behind Alluxio, such as s3a://bucket");
    }
    if (uri.getRawAuthority() != null && uri.getRawAuthority().contains("@")) {
      throw new IllegalArgumentException(
          "The under store has credentials in it; remove them and see docs/stores.md for where they belong");
    }
    return withoutEndSlash(underStore);
  }

  static String checkPath(String path) {
    if (!path.startsWith("/")
        || path.contains("//")
        || path.contains("/../")
        || path.endsWith("/..")) {
      throw new IllegalArgumentException(
          "The path '" + path + "' is no absolute path in Alluxio; write one like /s3/lake");
    }
    return withoutEndSlash(path);
  }

  /** The path in Alluxio of a location of the under store, if there is one. */
  Optional<String> pathOf(URI source) throws IOException {
    for (Mount mount : mounts()) {
      Optional<String> path = mount.pathOf(source);
      if (path.isPresent()) {
        return path;
      }
    }
    return Optional.empty();
  }

  /** The location of the under store that a path in Alluxio shows. */
  URI sourceOf(String path) throws IOException {
    for (Mount mount : mounts()) {
      Optional<URI> source = mount.sourceOf(path);
      if (source.isPresent()) {
        return source.get();
      }
    }
    throw new LeatException(
        ErrorCode.TIER_NOT_MAPPED,
        "Alluxio's path '"
            + path
            + "' lies under none of "
            + mounts().stream().map(Mount::path).toList()
            + "; mount its under store, or say Alluxio.mapping(underStore, path)");
  }

  private List<Mount> mounts() throws IOException {
    List<Mount> mounts = known;
    if (mounts == null) {
      mounts = configured.isEmpty() ? fromTable() : fromConfiguration();
      known = mounts;
    }
    return mounts;
  }

  private List<Mount> fromConfiguration() {
    List<Mount> mounts = new ArrayList<>();
    configured.forEach((underStore, path) -> mounts.add(new Mount(URI.create(underStore), path)));
    return nearestFirst(mounts);
  }

  private List<Mount> fromTable() throws IOException {
    Map<String, MountPointInfo> table = store.mountTable();
    List<Mount> mounts = new ArrayList<>();
    table.forEach(
        (path, info) -> {
          URI underStore = underStore(withoutEndSlash(info.getUfsUri()));
          mounts.add(new Mount(underStore, withoutEndSlash(path)));
        });
    return nearestFirst(mounts);
  }

  /** The mount table has paths as they are, blanks included, and plain ones for local files. */
  static URI underStore(String shown) {
    int scheme = shown.indexOf("://");
    if (scheme < 0) {
      return Blob.uriOf("file", "", shown);
    }
    String rest = shown.substring(scheme + "://".length());
    int path = rest.indexOf('/');
    return Blob.uriOf(
        shown.substring(0, scheme),
        path < 0 ? rest : rest.substring(0, path),
        path < 0 ? "" : rest.substring(path));
  }

  private static List<Mount> nearestFirst(List<Mount> mounts) {
    mounts.sort(Comparator.comparingInt((Mount mount) -> mount.path.length()).reversed());
    return List.copyOf(mounts);
  }

  private static String withoutEndSlash(String text) {
    return text.endsWith("/") && !text.endsWith("://")
        ? text.substring(0, text.length() - 1)
        : text;
  }

  /**
   * One mount.
   *
   * @param underStore without an ending slash
   * @param path without an ending slash, so empty for the root
   */
  private record Mount(URI underStore, String path) {

    Optional<String> pathOf(URI source) {
      if (!sameStore(source)) {
        return Optional.empty();
      }
      String prefix = underStore.getPath();
      return below(prefix == null ? "" : prefix, source.getPath()).map(rest -> path + rest);
    }

    Optional<URI> sourceOf(String alluxioPath) {
      Optional<String> rest = below(path, alluxioPath);
      if (rest.isEmpty()) {
        return Optional.empty();
      }
      String prefix = underStore.getPath() == null ? "" : underStore.getPath();
      String authority = underStore.getAuthority() == null ? "" : underStore.getAuthority();
      return Optional.of(Blob.uriOf(underStore.getScheme(), authority, prefix + rest.get()));
    }

    private boolean sameStore(URI source) {
      String authority = underStore.getAuthority() == null ? "" : underStore.getAuthority();
      String other = source.getAuthority() == null ? "" : source.getAuthority();
      return authority.equals(other)
          && family(underStore.getScheme()).equals(family(source.getScheme()));
    }

    private static String family(@Nullable String scheme) {
      String name = scheme == null ? "" : scheme.toLowerCase(Locale.ROOT);
      return name.equals("s3a") || name.equals("s3n") ? "s3" : name;
    }

    private static Optional<String> below(String prefix, String path) {
      if (!path.startsWith(prefix)) {
        return Optional.empty();
      }
      String rest = path.substring(prefix.length());
      return rest.isEmpty() || rest.startsWith("/") ? Optional.of(rest) : Optional.empty();
    }
  }
}
