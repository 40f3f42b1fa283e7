package dev.leat.internal.engine.repository;

import dev.leat.internal.disk.OwnerOnly;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/**
 * One user of a dimension's directory, who can be seen to be alive: it holds a lock on a file of
 * its own, and everything that it claims or has half written bears its token. The operating system
 * lets go of the lock when the process ends, in whatever way.
 *
 * <p>The token begins with the process, because closing a file drops all locks that the same
 * process holds on it (POSIX): the file of a user in the own process must not even be opened.
 */
final class Owner implements AutoCloseable {
  static final String PREFIX = "owner-";

  private final String token;
  private final Path file;
  private final FileChannel channel;

  private Owner(String token, Path file, FileChannel channel) {
    this.token = token;
    this.file = file;
    this.channel = channel;
  }

  static Owner enter(Path directory) throws IOException {
    while (true) {
      String token = processToken() + "-" + UUID.randomUUID().toString().substring(0, 8);
      Path file = directory.resolve(PREFIX + token);
      FileChannel channel =
          OwnerOnly.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      try {
        channel.lock();
        if (Files.exists(file)) {
          return new Owner(token, file, channel);
        }
        // Somebody who cleaned up took the file for a dead owner's before it was locked; try
        // another.
        channel.close();
      } catch (IOException | RuntimeException e) {
        channel.close();
        Files.deleteIfExists(file);
        throw e;
      }
    }
  }

  String token() {
    return token;
  }

  /**
   * Whether the owner of a token still lives. If not, its file is removed, under its lock, so that
   * an owner who is just entering notices.
   */
  static boolean alive(Path directory, String token) throws IOException {
    Path file = directory.resolve(PREFIX + token);
    if (token.startsWith(processToken() + "-")) {
      return Files.exists(file);
    }
    try (FileChannel other = FileChannel.open(file, StandardOpenOption.WRITE);
        FileLock lock = other.tryLock()) {
      if (lock == null) {
        return true;
      }
      Files.deleteIfExists(file);
      return false;
    } catch (NoSuchFileException e) {
      return false;
    } catch (OverlappingFileLockException e) {
      return true;
    }
  }

  /** Names this run of this process; a process number alone comes again, in containers at once. */
  private static String processToken() {
    return ProcessHandle.current().pid()
        + "-"
        + ManagementFactory.getRuntimeMXBean().getStartTime();
  }

  @Override
  public void close() {
    try {
      Files.deleteIfExists(file);
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
