package dev.leat.internal.index;

import static java.util.Objects.requireNonNull;

import dev.leat.DataSize;
import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.format.ColumnType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * An index that is mapped into memory. Thread-safe; its {@link IndexLookup}s belong to one thread
 * each.
 *
 * <p>The columns, footers and directories are checked when it is opened, each block when it is
 * first read.
 *
 * <p>The owner closes it when no reader is inside a lookup any more; a lookup that begins later
 * throws.
 */
public final class Index implements AutoCloseable {
  private final IndexManifest manifest;
  private final IndexColumns columns;
  private final CellReaders readers;
  private final List<MappedByteBuffer> files;
  private final MappedSegment[] segments;
  private final Map<Converted, @Nullable Object[]> sharedValues = new ConcurrentHashMap<>();
  private volatile boolean closed;

  private Index(
      IndexManifest manifest,
      IndexColumns columns,
      List<MappedByteBuffer> files,
      MappedSegment[] segments) {
    this.manifest = manifest;
    this.columns = columns;
    this.files = files;
    this.segments = segments;
    this.readers = new CellReaders(manifest.columns(), columns);
  }

  /**
   * Opens the index in a directory.
   *
   * @throws LeatException {@code INDEX_DAMAGED} if it is not an index or not whole, {@code
   *     INDEX_FORMAT_UNSUPPORTED} if this release cannot read it, {@code DISK_UNUSABLE} if a file
   *     cannot be read
   */
  public static Index open(Path directory) {
    IndexManifest manifest = IndexManifest.read(directory);
    List<MappedByteBuffer> files = new ArrayList<>();
    boolean opened = false;
    try {
      if (manifest.shards().isEmpty()
          || !manifest.shards().get(0).name().equals(IndexColumns.FILE_NAME)) {
        throw damaged(directory.resolve(IndexManifest.FILE_NAME), "names no columns");
      }
      IndexManifest.Shard columnsFile = manifest.shards().get(0);
      Path columnsPath = directory.resolve(columnsFile.name());
      boolean sized = Files.size(columnsPath) == columnsFile.bytes();
      byte[] content = sized ? Files.readAllBytes(columnsPath) : new byte[0];
      if (!sized || crc(content) != columnsFile.crc32c()) {
        throw damaged(columnsPath, "is not the one that the manifest names");
      }
      IndexColumns columns = IndexColumns.parse(content, columnsPath.toString());
      if (!columns.layout().fits(manifest.columns(), manifest.keyColumns(), columns.keys().packed())
          || manifest.shards().size() != 1 + (1 << columns.shardBits())) {
        throw damaged(columnsPath, "does not fit the manifest");
      }
      MappedSegment[] segments = new MappedSegment[1 << columns.segmentBits()];
      int next = 0;
      for (int ordinal = 0; ordinal < manifest.shards().size() - 1; ordinal++) {
        IndexManifest.Shard shard = manifest.shards().get(ordinal + 1);
        next =
            openShard(
                directory,
                shard,
                columnsFile.footerCrc32c(),
                ordinal,
                columns,
                files,
                segments,
                next);
      }
      opened = true;
      return new Index(manifest, columns, files, segments);
    } catch (NoSuchFileException e) {
      throw new LeatException(
          ErrorCode.INDEX_DAMAGED,
          "the index file "
              + e.getFile()
              + " is missing; delete the index, it is built again from the source",
          e);
    } catch (IOException e) {
      throw new LeatException(
          ErrorCode.DISK_UNUSABLE, "the index in " + directory + " cannot be read: " + e, e);
    } finally {
      if (!opened) {
        files.forEach(Memory::free);
      }
    }
  }

  private static int openShard(
      Path directory,
      IndexManifest.Shard shard,
      int columnsCrc,
      int ordinal,
      IndexColumns columns,
      List<MappedByteBuffer> files,
      MappedSegment[] segments,
      int first)
      throws IOException {
    Path path = directory.resolve(shard.name());
    if (!shard.name().equals(ShardFile.name(ordinal))) {
      throw damaged(path, "stands where " + ShardFile.name(ordinal) + " should be");
    }
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      long size = channel.size();
      if (size != shard.bytes()
          || size < ShardFile.HEADER_BYTES + ShardFile.TRAILER_BYTES
          || size > Integer.MAX_VALUE) {
        throw damaged(path, "has " + size + " bytes instead of " + shard.bytes());
      }
      MappedByteBuffer file = channel.map(FileChannel.MapMode.READ_ONLY, 0, size);
      files.add(file);
      byte[] trailer = bytes(file, size - ShardFile.TRAILER_BYTES, ShardFile.TRAILER_BYTES);
      int footerBytes = ShardFile.footerBytes(trailer, path.toString(), size);
      if (ShardFile.footerCrc(trailer, path.toString()) != shard.footerCrc32c()) {
        throw damaged(path, "is not the one that the manifest names");
      }
      byte[] footer = bytes(file, size - ShardFile.TRAILER_BYTES - footerBytes, footerBytes);
      byte[] header = bytes(file, 0, ShardFile.HEADER_BYTES);
      int bodyBits = columns.keys().extraBits() + columns.layout().bits();
      ShardFile frame =
          ShardFile.parse(
              header,
              footer,
              shard.footerCrc32c(),
              path.toString(),
              size - ShardFile.TRAILER_BYTES - footerBytes,
              bodyBits);
      if (frame.columnsCrc() != columnsCrc
          || frame.ordinal() != ordinal
          || frame.segments().size() != segments.length >>> columns.shardBits()) {
        throw damaged(path, "belongs to another index");
      }
      long address = Memory.address(file);
      for (int i = 0; i < frame.segments().size(); i++) {
        segments[first + i] =
            new MappedSegment(
                frame.segments().get(i),
                bodyBits,
                frame.blockCrcs().get(i),
                frame.directoryCrcs()[i],
                file,
                address,
                path.toString());
      }
      return first + frame.segments().size();
    }
  }

  private static byte[] bytes(ByteBuffer file, long position, int length) {
    byte[] bytes = new byte[length];
    file.get(Math.toIntExact(position), bytes);
    return bytes;
  }

  private static int crc(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }

  private static LeatException damaged(Path file, String what) {
    return new LeatException(
        ErrorCode.INDEX_DAMAGED,
        "the index file "
            + file
            + " "
            + what
            + "; delete the index, it is built again from the source");
  }

  /** What the index says of itself. */
  public IndexManifest manifest() {
    return manifest;
  }

  /** The bytes of its files. */
  public long bytes() {
    return manifest.shardBytes();
  }

  /**
   * A lookup for one thread.
   *
   * @param keyType the type of the key: for one key column a scalar, for several a record with a
   *     component per key column
   * @param rowType a record, a class with a constructor without parameters, or {@link
   *     dev.leat.DimensionRow}
   * @throws LeatException {@code COLUMN_NOT_FOUND} or {@code TYPE_MISMATCH} where the types do not
   *     fit the columns, {@code INVALID_DEFINITION} where a type cannot be made or read
   */
  public <K, D> IndexLookup<K, D> lookup(Class<K> keyType, Class<D> rowType) {
    return mappedLookup(keyType, rowType);
  }

  /**
   * The same with rows that are asked for often kept as objects, and given again. Where bytes are
   * part of the key none is kept.
   *
   * @param hotRows about what the kept rows may take
   * @param counter counts those that were given again
   */
  public <K, D> IndexLookup<K, D> lookup(
      Class<K> keyType, Class<D> rowType, DataSize hotRows, HotRowCounter counter) {
    MappedLookup<K, D> lookup = mappedLookup(keyType, rowType);
    return HotRows.fits(keyTypes())
        ? new HotRows<>(
            lookup, requireNonNull(hotRows, "hotRows"), requireNonNull(counter, "counter"))
        : lookup;
  }

  private <K, D> MappedLookup<K, D> mappedLookup(Class<K> keyType, Class<D> rowType) {
    KeyAccess keys =
        new KeyAccess(
            requireNonNull(keyType, "keyType"), manifest.columns(), manifest.keyColumns());
    RowFactory rows =
        new RowTarget(manifest.columns(), readers, keys)
            .factory(requireNonNull(rowType, "rowType"));
    return MappedLookup.of(this, keys, rows);
  }

  /**
   * A lookup for one thread whose keys and rows are read and made by shapes. Its {@link
   * IndexLookup#find} gives null for a key of which the shape says that no row can have it.
   */
  public <K, D> IndexLookup<K, D> lookup(KeyShape<K> keys, RowShape<D> rows) {
    return MappedLookup.of(this, requireNonNull(keys, "keys"), requireNonNull(rows, "rows"));
  }

  /** The types of the key's columns, in the order of the key. */
  List<ColumnType> keyTypes() {
    return manifest.keyColumns().stream().map(i -> manifest.columns().get(i).type()).toList();
  }

  /**
   * The values of a column's dictionary as a converter makes them, at the codes of the rows; each
   * is made when it is first asked for. One array for all lookups.
   */
  @Nullable Object[] sharedValues(int column, CellConverter<?> converter) {
    int nullCode =
        columns.layout().cells().get(column).requireField().nulls() == Field.Nulls.ZERO ? 1 : 0;
    return sharedValues.computeIfAbsent(
        new Converted(column, converter),
        key -> new Object[columns.dictionaries()[column].length + nullCode]);
  }

  private record Converted(int column, CellConverter<?> converter) {}

  IndexColumns columns() {
    return columns;
  }

  MappedSegment[] segments() {
    return segments;
  }

  boolean closed() {
    return closed;
  }

  /** Unmaps the files. Idempotent. */
  @Override
  public void close() {
    synchronized (files) {
      closed = true;
      files.forEach(Memory::free);
      files.clear();
    }
  }
}
