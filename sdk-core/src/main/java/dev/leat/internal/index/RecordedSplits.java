package dev.leat.internal.index;

import dev.leat.DataSize;
import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.internal.disk.OwnerOnly;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rows of the splits of a source as they were parsed, kept in a directory from one build to the
 * next: a split that has not changed is not read and not parsed again. Serves one build.
 *
 * <p>A recording has the name of its <i>key</i>, which stands for everything that decides what rows
 * a split gives: the definition, the identity of the file, and where the split begins and ends. It
 * is written under a name of its own and renamed by {@link #keep}, so that what a killed process
 * leaves is never taken for one; and each of its parts has a checksum, so that a damaged one is
 * dropped and its split parsed again. Recordings save work and nothing else: they may be deleted at
 * any moment, and where one cannot be written the build goes on without. Thread-safe.
 */
public final class RecordedSplits implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RecordedSplits.class);
  private static final String ROWS = ".rows";

  private final Path directory;
  private final String temporarySuffix;
  private final long bound;
  private final AtomicLong bytes = new AtomicLong();
  private final ConcurrentLinkedQueue<String> written = new ConcurrentLinkedQueue<>();
  private final Set<Path> temporaries = new HashSet<>();

  private RecordedSplits(Path directory, String temporarySuffix, long bound) {
    this.directory = directory;
    this.temporarySuffix = temporarySuffix;
    this.bound = bound;
  }

  /**
   * Opens the recordings for a build, and makes room: those of the same definition that no split of
   * the build has the key of are deleted, and of the others the oldest ones beyond the bound.
   *
   * @param directory where they stand; made when something is recorded, and removed when it is
   *     empty
   * @param temporarySuffix is behind the names of half-written ones
   * @param bound the most bytes of all recordings in the directory
   * @param definition what all keys of the build begin with
   * @param keys the keys of the build's splits
   */
  public static RecordedSplits open(
      Path directory, String temporarySuffix, DataSize bound, String definition, Set<String> keys)
      throws IOException {
    RecordedSplits recorded = new RecordedSplits(directory, temporarySuffix, bound.bytes());
    if (Files.isDirectory(directory)) {
      recorded.makeRoom(definition, keys);
    }
    return recorded;
  }

  private void makeRoom(String definition, Set<String> keys) throws IOException {
    record Old(Path path, long size, FileTime used) {}
    List<Old> others = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*" + ROWS)) {
      for (Path file : files) {
        String name = String.valueOf(file.getFileName());
        String key = name.substring(0, name.length() - ROWS.length());
        try {
          if (keys.contains(key)) {
            bytes.addAndGet(Files.size(file));
          } else if (key.startsWith(definition)) {
            Files.deleteIfExists(file);
          } else {
            others.add(new Old(file, Files.size(file), Files.getLastModifiedTime(file)));
          }
        } catch (NoSuchFileException e) {
          LOG.debug("{} was deleted by another process", file);
        }
      }
    }
    others.sort(Comparator.comparing(Old::used).reversed());
    for (Old other : others) {
      if (bytes.addAndGet(other.size()) > bound) {
        bytes.addAndGet(-other.size());
        Files.deleteIfExists(other.path());
      }
    }
  }

  /** The recording of a split, if there is one. */
  Optional<SplitPlayback> find(String key, int columns) throws IOException {
    Path path = path(key);
    if (!Files.exists(path)) {
      return Optional.empty();
    }
    var channel = Files.newByteChannel(path);
    try {
      SplitPlayback playback = new SplitPlayback(channel, path.toString(), key, columns);
      Files.setLastModifiedTime(path, FileTime.from(Instant.now()));
      return Optional.of(playback);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** Deletes a recording that cannot be used. */
  void drop(String key, Exception reason) {
    if (reason instanceof LeatException e && e.errorCode() != ErrorCode.INDEX_DAMAGED) {
      throw e;
    }
    LOG.info(
        "the recorded rows {} cannot be used and are parsed again: {}",
        key,
        String.valueOf(reason));
    delete(path(key));
  }

  /** Begins to record a split; empty where that is not possible now. */
  Optional<SplitRecording> record(String key, ValueDictionary[] dictionaries) {
    if (bytes.get() >= bound) {
      return Optional.empty();
    }
    Path temporary = temporary(key);
    try {
      OwnerOnly.createDirectories(directory);
      WritableByteChannel channel =
          OwnerOnly.open(
              temporary,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.WRITE);
      synchronized (temporaries) {
        temporaries.add(temporary);
      }
      return Optional.of(new SplitRecording(this, key, channel, dictionaries));
    } catch (IOException e) {
      LOG.warn("rows cannot be recorded in {}: {}", directory, e.toString());
      return Optional.empty();
    }
  }

  boolean mayGrow(long more) {
    return bytes.addAndGet(more) <= bound;
  }

  void finished(SplitRecording recording, WritableByteChannel channel) {
    try {
      channel.close();
      written.add(recording.key());
    } catch (IOException e) {
      LOG.warn("rows cannot be recorded in {}: {}", directory, e.toString());
    }
  }

  void gaveUp(
      SplitRecording recording,
      WritableByteChannel channel,
      String reason,
      @Nullable IOException cause) {
    LOG.info(
        "rows are not recorded in {}: {}{}",
        directory,
        reason,
        cause == null ? "" : " (" + cause + ")");
    try {
      channel.close();
    } catch (IOException e) {
      LOG.debug("{} cannot be closed", recording.key(), e);
    }
    delete(temporary(recording.key()));
    bytes.addAndGet(-recording.bytes());
  }

  /** Keeps what was recorded for the next build: the build has succeeded. */
  public void keep() {
    for (String key = written.poll(); key != null; key = written.poll()) {
      try {
        Files.move(
            temporary(key),
            path(key),
            StandardCopyOption.ATOMIC_MOVE,
            StandardCopyOption.REPLACE_EXISTING);
      } catch (NoSuchFileException e) {
        LOG.info("rows were recorded in {} and removed, since room was needed", directory);
      } catch (IOException e) {
        LOG.warn("rows cannot be recorded in {}: {}", directory, e.toString());
      }
    }
  }

  private Path path(String key) {
    return directory.resolve(key + ROWS);
  }

  private Path temporary(String key) {
    return directory.resolve(key + temporarySuffix);
  }

  private static void delete(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      LOG.warn("{} cannot be deleted: {}", path, e.toString());
    }
  }

  /** Deletes what was recorded and not kept. */
  @Override
  public void close() {
    synchronized (temporaries) {
      temporaries.forEach(RecordedSplits::delete);
      temporaries.clear();
    }
    try {
      Files.deleteIfExists(directory);
    } catch (DirectoryNotEmptyException e) {
      LOG.trace("{} holds recordings", directory);
    } catch (IOException e) {
      LOG.debug("{} cannot be removed", directory, e);
    }
  }
}
