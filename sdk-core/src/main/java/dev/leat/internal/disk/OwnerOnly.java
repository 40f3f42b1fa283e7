package dev.leat.internal.disk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/**
 * Makes files and directories that nobody but their owner may read or write, whatever the process's
 * umask is: the rows of a table are in them. Where the file system has no such permissions they are
 * made as that does it.
 */
public final class OwnerOnly {
  private static final Set<PosixFilePermission> DIRECTORY =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
  private static final FileAttribute<?>[] NONE = {};

  private OwnerOnly() {}

  /**
   * Makes a file.
   *
   * @throws FileAlreadyExistsException if it is there
   */
  public static void createFile(Path file) throws IOException {
    Files.createFile(file, attributes(file, FILE));
  }

  /** Opens a file; if that makes it, for its owner only. */
  public static FileChannel open(Path file, OpenOption... options) throws IOException {
    return FileChannel.open(file, Set.of(options), attributes(file, FILE));
  }

  /**
   * Makes a directory.
   *
   * @throws FileAlreadyExistsException if it is there
   */
  public static void createDirectory(Path directory) throws IOException {
    Files.createDirectory(directory, attributes(directory, DIRECTORY));
  }

  /** Makes a directory and those that it is in, as far as they are not there. */
  public static void createDirectories(Path directory) throws IOException {
    Files.createDirectories(directory, attributes(directory, DIRECTORY));
  }

  /**
   * Takes from others what they may do in a directory that is there.
   *
   * @return whether they might have done anything
   */
  public static boolean tighten(Path directory) throws IOException {
    if (!posix(directory)
        || !othersMay(directory, EnumSet.complementOf(EnumSet.copyOf(DIRECTORY)))) {
      return false;
    }
    Files.setPosixFilePermissions(directory, DIRECTORY);
    return true;
  }

  /** Whether others than its owner may put files into a directory, or take them from it. */
  public static boolean othersMayWrite(Path directory) throws IOException {
    return posix(directory)
        && othersMay(
            directory,
            EnumSet.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE));
  }

  /** Whether the file system of a path knows owners and permissions. */
  public static boolean posix(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  private static boolean othersMay(Path directory, Set<PosixFilePermission> what)
      throws IOException {
    Set<PosixFilePermission> allowed = EnumSet.noneOf(PosixFilePermission.class);
    allowed.addAll(Files.getPosixFilePermissions(directory));
    allowed.retainAll(what);
    return !allowed.isEmpty();
  }

  private static FileAttribute<?>[] attributes(Path path, Set<PosixFilePermission> permissions) {
    return posix(path)
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
        : NONE;
  }
}
