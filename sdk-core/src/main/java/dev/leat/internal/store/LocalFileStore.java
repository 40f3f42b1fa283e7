package dev.leat.internal.store;

import static java.util.Objects.requireNonNull;

import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.BlobStore;
import dev.leat.spi.StoreException;
import dev.leat.spi.StoreException.Kind;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The store of the local file system, or of one that is mounted there: {@code file:} locations
 * below a root.
 *
 * <ul>
 *   <li><b>Root.</b> A path that leads out of the root, by {@code ..} or through a symbolic link,
 *       is refused with kind {@code ACCESS_DENIED}. The root itself may be or lie behind a link,
 *       may be a single file, and need not exist yet. This keeps mistakes in; it is no defence
 *       against someone who changes links at the same moment.
 *   <li><b>Symbolic links.</b> A link to a file within the root is listed as a file of its own. A
 *       link to a directory within the root is not descended: its files are listed where they
 *       stand. A link out of the root or to nowhere fails the listing, since leaving rows out must
 *       not go unseen.
 *   <li><b>Change.</b> A blob has no content tag, so that hosts which hold copies of the same files
 *       agree on it: its length and modification time identify it. A reader compares them, and the
 *       file's identity, with what it opened after every read; a file that was replaced by a rename
 *       is read on in its former state. Two contents of the same length written within one tick of
 *       the file system's clock (some milliseconds) cannot be told apart.
 *   <li><b>Publication.</b> A temporary file beside the target, forced to disk, then renamed, then
 *       the directory forced to disk. A writer that dies leaves at most a temporary file, which no
 *       listing shows.
 * </ul>
 */
public final class LocalFileStore implements BlobStore {
  /** Begins the name of a file that is being published. */
  private static final String TEMPORARY_PREFIX = ".leat-publish-";

  private final Path root;
  private volatile boolean closed;

  private LocalFileStore(Path root) {
    this.root = root;
  }

  /** A store of everything below {@code root}. */
  public static LocalFileStore at(Path root) {
    return new LocalFileStore(requireNonNull(root, "root").toAbsolutePath().normalize());
  }

  /** The path of a {@code file:} URI on this host. */
  static Path pathOf(URI uri) throws StoreException {
    String authority = uri.getRawAuthority();
    if (!"file".equalsIgnoreCase(uri.getScheme())
        || uri.getRawPath() == null
        || !(authority == null || authority.isEmpty() || authority.equalsIgnoreCase("localhost"))) {
      throw new StoreException(
          Kind.NOT_FOUND, "'" + uri + "' is no file of this host; write file:///path", null);
    }
    try {
      // Rebuilt from the path, so that file:/x, file:///x and file://localhost/x are the same.
      return Path.of(Blob.uriOf("file", "", uri.getPath())).normalize();
    } catch (IllegalArgumentException e) {
      throw new StoreException(
          Kind.NOT_FOUND, "'" + uri + "' is no path of this host: " + e.getMessage(), e);
    }
  }

  @Override
  public List<Blob> list(URI directory) throws IOException {
    Path start = locate(directory);
    List<Blob> found = new ArrayList<>();
    BasicFileAttributes attributes = attributesOf(start);
    if (attributes == null) {
      return found;
    }
    try {
      if (attributes.isDirectory()) {
        collect(start, realRoot(), found);
      } else if (attributes.isRegularFile()) {
        found.add(blob(start, attributes));
      }
    } catch (IOException e) {
      throw translated(e, "list", directory);
    }
    found.sort(Comparator.comparing(blob -> blob.uri().toString()));
    return found;
  }

  private void collect(Path directory, Path realRoot, List<Blob> found) throws IOException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path entry : entries) {
        if (fileName(entry).startsWith(TEMPORARY_PREFIX)) {
          continue;
        }
        BasicFileAttributes attributes;
        try {
          attributes =
              Files.readAttributes(entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
          continue; // deleted since the directory was read: as if listed a moment later
        }
        if (attributes.isSymbolicLink()) {
          collectLink(entry, realRoot, found);
        } else if (attributes.isDirectory()) {
          collect(entry, realRoot, found);
        } else if (attributes.isRegularFile()) {
          found.add(blob(entry, attributes));
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    } catch (NoSuchFileException e) {
      if (Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
        throw e;
      } // else the whole directory was deleted since its parent was read
    }
  }

  private static void collectLink(Path link, Path realRoot, List<Blob> found) throws IOException {
    Path target;
    try {
      target = link.toRealPath();
    } catch (NoSuchFileException e) {
      throw new StoreException(
          Kind.NOT_FOUND,
          "the symbolic link " + link + " leads to nothing; delete it or restore its target",
          e);
    }
    if (!target.startsWith(realRoot)) {
      throw leavesRoot(link, target, realRoot);
    }
    BasicFileAttributes attributes = Files.readAttributes(target, BasicFileAttributes.class);
    if (attributes.isRegularFile()) {
      found.add(blob(link, attributes));
    }
  }

  @Override
  public Optional<Blob> find(URI uri) throws IOException {
    Path path = locate(uri);
    BasicFileAttributes attributes = attributesOf(path);
    return attributes == null || !attributes.isRegularFile()
        ? Optional.empty()
        : Optional.of(blob(path, attributes));
  }

  @Override
  public BlobReader open(Blob blob) throws IOException {
    Path path = locate(blob.uri());
    try {
      return LocalBlobReader.open(path, blob);
    } catch (IOException e) {
      throw translated(e, "open", blob.uri());
    }
  }

  @Override
  public void publish(Path file, URI target) throws IOException {
    Path path = locate(target);
    try {
      Path temporary = prepare(path, () -> FileChannel.open(file, StandardOpenOption.READ));
      try {
        Files.move(
            temporary, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(temporary);
      }
      forceDirectory(parent(path));
    } catch (IOException e) {
      throw translated(e, "publish " + file + " as", target);
    }
  }

  @Override
  public boolean publishIfAbsent(byte[] content, URI target) throws IOException {
    Path path = locate(target);
    try {
      if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
        return false;
      }
      Path temporary = prepare(path, content);
      try {
        // A hard link appears with its whole content, and fails where something is there: no other
        // call does both.
        Files.createLink(path, temporary);
      } catch (FileAlreadyExistsException e) {
        return false;
      } catch (UnsupportedOperationException e) {
        Files.move(
            temporary,
            path,
            StandardCopyOption
                .ATOMIC_MOVE); // a file system without hard links: the last writer wins
      } finally {
        Files.deleteIfExists(temporary);
      }
      forceDirectory(parent(path));
      return true;
    } catch (IOException e) {
      throw translated(e, "publish", target);
    }
  }

  @Override
  public void delete(URI uri) throws IOException {
    Path path = locate(uri);
    try {
      deleteTree(path);
    } catch (IOException e) {
      throw translated(e, "delete", uri);
    }
  }

  private void deleteTree(Path path) throws IOException {
    if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
        for (Path entry : entries) {
          deleteTree(entry);
        }
      } catch (NoSuchFileException e) {
        return; // someone else deletes the same tree
      }
    }
    Files.deleteIfExists(path);
  }

  @Override
  public void close() {
    closed = true;
  }

  @Override
  public String toString() {
    return "LocalFileStore[" + root + "]";
  }

  private interface Source {
    FileChannel open() throws IOException;
  }

  private Path prepare(Path target, Source source) throws IOException {
    Path temporary = temporaryBeside(target);
    try (FileChannel in = source.open();
        FileChannel out =
            FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      long size = in.size();
      long copied = 0;
      while (copied < size) {
        long count = in.transferTo(copied, size - copied, out);
        if (count <= 0) {
          throw new StoreException(
              Kind.CHANGED,
              "the file to publish as "
                  + target
                  + " ended after "
                  + copied
                  + " of "
                  + size
                  + " bytes: it was cut while it was read",
              null);
        }
        copied += count;
      }
      out.force(true);
      return temporary;
    } catch (IOException | RuntimeException e) {
      deleteRemains(temporary, e);
      throw e;
    }
  }

  private Path prepare(Path target, byte[] content) throws IOException {
    Path temporary = temporaryBeside(target);
    try (FileChannel out =
        FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.wrap(content);
      while (bytes.hasRemaining()) {
        out.write(bytes);
      }
      out.force(true);
      return temporary;
    } catch (IOException | RuntimeException e) {
      deleteRemains(temporary, e);
      throw e;
    }
  }

  private static Path temporaryBeside(Path target) throws IOException {
    Path parent = parent(target);
    Files.createDirectories(parent);
    return parent.resolve(TEMPORARY_PREFIX + UUID.randomUUID());
  }

  private static void deleteRemains(Path temporary, Exception failure) {
    try {
      Files.deleteIfExists(temporary);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  /**
   * Makes a rename survive a crash of the host. Windows opens no directories and needs no such
   * call.
   */
  private static void forceDirectory(Path directory) throws IOException {
    if (System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("windows")) {
      return;
    }
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** The path of a URI, proven to lie below the root. */
  private Path locate(URI uri) throws IOException {
    if (closed) {
      throw new StoreException(
          Kind.OTHER,
          "the store of " + root + " is closed; " + uri + " cannot be reached through it",
          null);
    }
    Path path = pathOf(uri);
    if (!path.startsWith(root)) {
      throw leavesRoot(path, path, root);
    }
    try {
      Path real = real(path);
      Path realRoot = realRoot();
      if (!real.startsWith(realRoot)) {
        throw leavesRoot(path, real, realRoot);
      }
    } catch (IOException e) {
      throw translated(e, "reach", uri);
    }
    return path;
  }

  private Path realRoot() throws IOException {
    return real(root);
  }

  /** The path with the links of its existing part resolved. */
  private static Path real(Path path) throws IOException {
    for (Path existing = path; existing != null; existing = existing.getParent()) {
      try {
        return existing.toRealPath().resolve(existing.relativize(path)).normalize();
      } catch (NoSuchFileException e) {
        if (Files.isSymbolicLink(existing)) {
          return real(
              existing
                  .resolveSibling(Files.readSymbolicLink(existing))
                  .normalize()); // it leads to nothing yet
        }
      } catch (FileSystemException e) {
        if (!isNotDirectory(e)) {
          throw e;
        }
      }
    }
    return path;
  }

  private static @Nullable BasicFileAttributes attributesOf(Path path) throws IOException {
    try {
      return Files.readAttributes(path, BasicFileAttributes.class);
    } catch (NoSuchFileException | NotDirectoryException e) {
      return null;
    } catch (IOException e) {
      if (isNotDirectory(e)) {
        return null;
      }
      throw translated(e, "look at", path.toUri());
    }
  }

  /** Where a component of the path is a file, the JDK gives no exception of its own. */
  private static boolean isNotDirectory(IOException e) {
    return e instanceof FileSystemException failure
        && "Not a directory".equals(failure.getReason());
  }

  private static Blob blob(Path path, BasicFileAttributes attributes) {
    return new Blob(
        path.toUri(),
        attributes.size(),
        Optional.empty(),
        attributes.lastModifiedTime().toInstant());
  }

  private static Path parent(Path path) throws StoreException {
    Path parent = path.getParent();
    if (parent == null) {
      throw new StoreException(
          Kind.OTHER, path + " is the root of the file system and cannot be written", null);
    }
    return parent;
  }

  private static String fileName(Path path) {
    Path name = path.getFileName();
    return name == null ? "" : name.toString();
  }

  private static StoreException leavesRoot(Path path, Path target, Path root) {
    return new StoreException(
        Kind.ACCESS_DENIED,
        path
            + " leads to "
            + target
            + ", which is not below "
            + root
            + "; name the location that holds the files themselves",
        null);
  }

  /** The failure sorted by kind. */
  static IOException translated(IOException failure, String action, URI uri) {
    if (failure instanceof StoreException || failure instanceof InterruptedIOException) {
      return failure;
    }
    if (failure instanceof ClosedByInterruptException) {
      InterruptedIOException interrupted =
          new InterruptedIOException("interrupted: cannot " + action + " " + uri);
      interrupted.initCause(failure);
      return interrupted;
    }
    return new StoreException(
        kindOf(failure), "cannot " + action + " " + uri + ": " + failure, failure);
  }

  private static Kind kindOf(IOException failure) {
    if (failure instanceof NoSuchFileException || isNotDirectory(failure)) {
      return Kind.NOT_FOUND;
    }
    if (failure instanceof AccessDeniedException) {
      return Kind.ACCESS_DENIED;
    }
    if (failure instanceof FileAlreadyExistsException) {
      return Kind.ALREADY_EXISTS;
    }
    if (failure instanceof ClosedChannelException) {
      return Kind
          .UNAVAILABLE; // another thread was interrupted while it used the channel: a new one helps
    }
    String text = String.valueOf(failure.getMessage());
    if (text.contains("No space left on device")
        || text.contains("Disk quota exceeded")
        || text.contains("not enough space")) {
      return Kind.FULL;
    }
    if (text.contains("Stale file handle")
        || text.contains("Input/output error")
        || text.contains("Connection timed out")) {
      return Kind.UNAVAILABLE; // of a network file system
    }
    return Kind.OTHER;
  }
}
