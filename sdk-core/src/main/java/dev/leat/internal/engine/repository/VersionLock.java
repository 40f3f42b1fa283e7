package dev.leat.internal.engine.repository;

import dev.leat.internal.disk.OwnerOnly;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The right to fetch or build one version on this host. It saves work and nothing else: whoever
 * commits an index renames a whole directory, so two holders at a time do no harm. (Two services in
 * one process can come to that: the operating system drops all locks of a process on a file when
 * the process closes any of its channels on it.)
 */
public final class VersionLock implements AutoCloseable {
  private final FileChannel channel;
  private @Nullable FileLock lock;

  private VersionLock(FileChannel channel) {
    this.channel = channel;
  }

  static VersionLock on(Path file) throws IOException {
    return new VersionLock(
        OwnerOnly.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE));
  }

  /** Takes the lock if nobody has it. */
  public boolean tryAcquire() throws IOException {
    if (lock != null) {
      return true;
    }
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      // Another service of this process has it.
      return false;
    }
    return lock != null;
  }

  /** Gives the lock back. */
  @Override
  public void close() throws IOException {
    channel.close();
  }
}
