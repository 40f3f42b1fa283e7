package dev.leat.internal.index;

import java.nio.file.Path;

/**
 * An index that is mapped into memory. Thread-safe; its {@link IndexLookup}s belong to one thread each.
 *
 * <p>The owner closes it when no reader is inside a lookup any more; a lookup that begins later throws.
 */
public final class Index implements AutoCloseable {
  private Index() {}

  /**
   * Opens the index in a directory.
   *
   * @throws dev.leat.LeatException {@code INDEX_DAMAGED} if it is not an index or not whole, {@code INDEX_FORMAT_UNSUPPORTED} if this release cannot read it
   */
  public static Index open(Path directory) {
    throw new UnsupportedOperationException("not written yet: " + directory);
  }

  /** What the index says of itself. */
  public IndexManifest manifest() {
    throw new UnsupportedOperationException("not written yet");
  }

  /** The bytes of its files. */
  public long bytes() {
    throw new UnsupportedOperationException("not written yet");
  }

  /**
   * A lookup for one thread.
   *
   * @param keyType the type of the key: for one key column a scalar, for several a record with a component per key column
   * @param rowType a record, a class with a constructor without parameters, or {@link dev.leat.DimensionRow}
   * @throws dev.leat.LeatException {@code COLUMN_NOT_FOUND} or {@code TYPE_MISMATCH} where the types do not fit the columns
   */
  public <K, D> IndexLookup<K, D> lookup(Class<K> keyType, Class<D> rowType) {
    throw new UnsupportedOperationException("not written yet: " + keyType + rowType);
  }

  /** Unmaps the files. Idempotent. */
  @Override
  public void close() {
    throw new UnsupportedOperationException("not written yet");
  }
}
