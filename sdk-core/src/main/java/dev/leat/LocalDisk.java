package dev.leat;

import static java.util.Objects.requireNonNull;

import dev.leat.spi.CacheTier;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The nearest cache tier: a directory of the host in which indexes are kept, mapped into memory,
 * and found again after a restart. It is always there; name it only to configure it. Immutable.
 */
public final class LocalDisk implements CacheTier {
  private static final long serialVersionUID = 1L;
  private static final DataSize DEFAULT_BUDGET = DataSize.ofGibibytes(64);

  private final @Nullable String directory;
  private final DataSize budget;

  private LocalDisk(@Nullable String directory, DataSize budget) {
    this.directory = directory;
    this.budget = budget;
  }

  /**
   * The default: {@code leat} below the host's temporary directory, so that a restart finds what an
   * earlier run has built; at most 64 GiB.
   */
  public static LocalDisk defaults() {
    return new LocalDisk(null, DEFAULT_BUDGET);
  }

  /**
   * The given directory of each host; it is made if it is not there. All TaskManagers of a host
   * share it.
   */
  public static LocalDisk at(Path directory) {
    return new LocalDisk(requireNonNull(directory, "directory").toString(), DEFAULT_BUDGET);
  }

  /** The same with a bound on the bytes of all indexes in the directory. */
  public LocalDisk budget(DataSize size) {
    if (requireNonNull(size, "size").bytes() == 0) {
      throw new IllegalArgumentException(
          "a budget of 0 bytes holds no index; give at least the size of the index");
    }
    return new LocalDisk(directory, size);
  }

  /** The directory, or empty for the default one. */
  public Optional<Path> directory() {
    return Optional.ofNullable(directory).map(Path::of);
  }

  /** The bound on the bytes of all indexes in the directory. */
  public DataSize budget() {
    return budget;
  }

  @Override
  public String tierName() {
    return "local-disk";
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof LocalDisk that
        && Objects.equals(directory, that.directory)
        && budget.equals(that.budget);
  }

  @Override
  public int hashCode() {
    return Objects.hash(directory, budget);
  }

  @Override
  public String toString() {
    return "LocalDisk["
        + (directory == null ? "default directory" : directory)
        + ", at most "
        + budget
        + "]";
  }
}
