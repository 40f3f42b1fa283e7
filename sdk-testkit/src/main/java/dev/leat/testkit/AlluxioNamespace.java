package dev.leat.testkit;

import alluxio.AlluxioURI;
import alluxio.client.file.URIStatus;
import alluxio.exception.FileAlreadyExistsException;
import alluxio.exception.FileDoesNotExistException;
import alluxio.underfs.Fingerprint;
import alluxio.wire.FileInfo;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the master knows of files, what the worker has cached of them, and the under store of what
 * lies outside the mount. Thread-safe.
 */
final class AlluxioNamespace {

  /** A file as the master knows it. */
  private static final class Inode {
    final long id;
    final String path;
    final long length;
    final long modified;
    final String fingerprint;
    final boolean complete;
    byte @Nullable [] cached;

    Inode(long id, String path, long length, long modified, String fingerprint, boolean complete) {
      this.id = id;
      this.path = path;
      this.length = length;
      this.modified = modified;
      this.fingerprint = fingerprint;
      this.complete = complete;
    }
  }

  private final InMemoryS3 s3;
  private final Clock clock;
  private final NavigableMap<String, Inode> inodes = new TreeMap<>();

  /** The under store of everything that is not below the mount. */
  private final NavigableMap<String, byte[]> rootStore = new TreeMap<>();

  private long nextId = 1;

  AlluxioNamespace(InMemoryS3 s3, Clock clock) {
    this.s3 = s3;
    this.clock = clock;
  }

  String mountPath() {
    return "/s3/" + s3.bucket();
  }

  private boolean isMounted(String path) {
    return path.startsWith(mountPath() + "/");
  }

  private String key(String path) {
    return path.substring(mountPath().length() + 1);
  }

  /** The status of a file or directory. */
  synchronized URIStatus status(String path, boolean sync) throws FileDoesNotExistException {
    Inode inode = inode(path, sync);
    if (inode != null) {
      return status(inode);
    }
    loadBelow(path);
    if (path.equals("/") || path.equals(mountPath()) || !below(path).isEmpty()) {
      return new URIStatus(
          new FileInfo().setPath(path).setName(nameOf(path)).setFolder(true).setCompleted(true));
    }
    throw new FileDoesNotExistException("Path \"" + path + "\" does not exist.");
  }

  synchronized List<URIStatus> list(String path) throws FileDoesNotExistException {
    URIStatus self = status(path, false);
    List<URIStatus> found = new ArrayList<>();
    if (!self.isFolder()) {
      found.add(self);
    }
    below(path).forEach(inode -> found.add(status(inode)));
    return found;
  }

  private @Nullable Inode inode(String path, boolean sync) {
    Inode inode = inodes.get(path);
    if (!isMounted(path)) {
      return inode;
    }
    if (inode == null || (sync && inode.complete)) {
      InMemoryS3.Stored stored = s3.stored(key(path));
      if (stored == null) {
        if (inode != null) {
          inodes.remove(path);
        }
        return null;
      }
      String fingerprint = fingerprint(stored.etag());
      if (inode == null || !inode.fingerprint.equals(fingerprint)) {
        inode =
            new Inode(
                nextId++,
                path,
                stored.content().length,
                stored.modified().toEpochMilli(),
                fingerprint,
                true);
        inodes.put(path, inode);
      }
    }
    return inode;
  }

  private void loadBelow(String path) {
    String directory = directory(path);
    if (!directory.startsWith(mountPath() + "/") && !(mountPath() + "/").startsWith(directory)) {
      return;
    }
    for (String key : s3.keys()) {
      String file = mountPath() + "/" + key;
      if (file.startsWith(directory) && !key.endsWith("/")) {
        inode(file, false);
      }
    }
  }

  private List<Inode> below(String path) {
    String directory = directory(path);
    return inodes.values().stream().filter(inode -> inode.path.startsWith(directory)).toList();
  }

  private static String directory(String path) {
    return path.endsWith("/") ? path : path + "/";
  }

  private static String nameOf(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  private static String fingerprint(String tag) {
    return "TYPE|FILE UFS|s3 OWNER|_ GROUP|_ MODE|448 " + Fingerprint.Tag.CONTENT_HASH + "|" + tag;
  }

  private URIStatus status(Inode inode) {
    return new URIStatus(
        new FileInfo()
            .setFileId(inode.id)
            .setPath(inode.path)
            .setName(nameOf(inode.path))
            .setLength(inode.length)
            .setLastModificationTimeMs(inode.modified)
            .setUfsFingerprint(inode.fingerprint)
            .setCompleted(inode.complete)
            .setPersisted(inode.complete)
            .setUfsPath(
                isMounted(inode.path)
                    ? "s3://" + s3.bucket() + "/" + key(inode.path)
                    : "/under" + inode.path)
            .setInAlluxioPercentage(inode.cached == null ? 0 : 100));
  }

  /** Begins a file. */
  synchronized long create(String path) throws FileAlreadyExistsException {
    if (inode(path, false) != null) {
      throw new FileAlreadyExistsException("Path \"" + path + "\" already exists.");
    }
    Inode inode = new Inode(nextId++, path, 0, clock.millis(), "", false);
    inodes.put(path, inode);
    return inode.id;
  }

  /** Completes a file and writes it through. */
  synchronized void complete(String path, byte[] content) {
    Inode begun = inodes.get(path);
    if (begun == null) {
      throw new IllegalStateException("nobody has begun " + path);
    }
    put(path, content, begun.id);
  }

  private void put(String path, byte[] content, long id) {
    long now = clock.millis();
    String tag;
    if (isMounted(path)) {
      tag = s3.put(key(path), content);
    } else {
      rootStore.put(path, content);
      tag = "(len:" + content.length + ",_modtime:" + now + ",_id:" + id + ")";
    }
    Inode inode = new Inode(id, path, content.length, now, fingerprint(tag), true);
    inode.cached = content;
    inodes.put(path, inode);
  }

  synchronized void rename(String from, String to)
      throws FileDoesNotExistException, FileAlreadyExistsException {
    Inode inode = inode(from, false);
    if (inode == null) {
      throw new FileDoesNotExistException("Path \"" + from + "\" does not exist.");
    }
    if (inode(to, false) != null) {
      throw new FileAlreadyExistsException("Path \"" + to + "\" already exists.");
    }
    byte[] content = underStore(from);
    if (content == null) {
      throw new FileDoesNotExistException("Path \"" + from + "\" is not in the under store.");
    }
    remove(from);
    put(to, content, inode.id);
  }

  synchronized void delete(String path, boolean recursive) throws FileDoesNotExistException {
    status(path, false);
    if (recursive) {
      loadBelow(path);
      below(path).forEach(inode -> remove(inode.path));
    }
    remove(path);
  }

  private void remove(String path) {
    inodes.remove(path);
    if (isMounted(path)) {
      s3.delete(key(path));
    } else {
      rootStore.remove(path);
    }
  }

  private byte @Nullable [] underStore(String path) {
    if (!isMounted(path)) {
      return rootStore.get(path);
    }
    InMemoryS3.Stored stored = s3.stored(key(path));
    return stored == null ? null : stored.content();
  }

  /**
   * The bytes of a file that was opened: the cached ones, else those that stand in the under store
   * now.
   *
   * @param cache whether the worker keeps them
   */
  synchronized byte @Nullable [] bytes(URIStatus opened, boolean cache) {
    Inode inode = inodes.get(opened.getPath());
    if (inode != null && inode.id == opened.getFileId() && inode.cached != null) {
      return inode.cached;
    }
    byte[] content = underStore(opened.getPath());
    if (cache && content != null && inode != null && inode.id == opened.getFileId()) {
      inode.cached = content;
    }
    return content;
  }

  synchronized void free(String path) {
    for (Inode inode : inodes.values()) {
      if (inode.path.equals(path) || inode.path.startsWith(directory(path))) {
        inode.cached = null;
      }
    }
  }

  synchronized boolean isCached(String path) {
    Inode inode = inodes.get(new AlluxioURI(path).getPath());
    return inode != null && inode.cached != null;
  }
}
