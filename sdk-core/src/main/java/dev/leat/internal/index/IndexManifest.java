package dev.leat.internal.index;

import dev.leat.DuplicateKeys;
import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.format.Column;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/**
 * What an index says of itself: the content of {@code manifest.json}, which is written last, so
 * that a directory without it is no index. The same source and definition give the same manifest.
 *
 * @param formatVersion the version of the format of all files
 * @param columns the columns of a row
 * @param keyColumns the positions of the key's columns
 * @param duplicates which rows were kept where several had the same key
 * @param sourceFingerprint identifies the version of the source
 * @param rows the rows in the index
 * @param duplicateKeys the rows beyond the first of each key that the source had
 * @param nullKeyRows the rows whose key was NULL; they are not kept
 * @param filteredRows the rows that the filter left out
 * @param rejectedRows the rows that were malformed
 * @param rejectedSamples the first malformed rows
 * @param unparsableCells the cells that became NULL because they could not be read as their
 *     column's type
 * @param unparsableSamples the first such cells
 * @param shards the files of the index: first the columns, then the rows
 */
public record IndexManifest(
    int formatVersion,
    List<Column> columns,
    List<Integer> keyColumns,
    DuplicateKeys duplicates,
    String sourceFingerprint,
    long rows,
    long duplicateKeys,
    long nullKeyRows,
    long filteredRows,
    long rejectedRows,
    List<Sample> rejectedSamples,
    long unparsableCells,
    List<Sample> unparsableSamples,
    List<Shard> shards) {
  /** The version of the format that this release writes. */
  public static final int FORMAT_VERSION = IndexColumns.FORMAT_VERSION;

  /** The name of the file in the directory of an index. */
  public static final String FILE_NAME = "manifest.json";

  /** Copies the lists. */
  public IndexManifest {
    columns = List.copyOf(columns);
    keyColumns = List.copyOf(keyColumns);
    rejectedSamples = List.copyOf(rejectedSamples);
    unparsableSamples = List.copyOf(unparsableSamples);
    shards = List.copyOf(shards);
  }

  /** The bytes of all shard files. */
  public long shardBytes() {
    long sum = 0;
    for (Shard shard : shards) {
      sum += shard.bytes();
    }
    return sum;
  }

  /**
   * Reads the manifest in the directory of an index.
   *
   * @throws LeatException {@code INDEX_DAMAGED} if there is none or it is damaged, {@code
   *     INDEX_FORMAT_UNSUPPORTED} if this release cannot read it
   */
  public static IndexManifest read(Path directory) {
    Path file = directory.resolve(FILE_NAME);
    try {
      if (Files.size(file) > ManifestJson.MAX_BYTES) {
        throw new LeatException(
            ErrorCode.INDEX_DAMAGED,
            "the manifest "
                + file
                + " is larger than "
                + ManifestJson.MAX_BYTES
                + " bytes; delete the index, it is built again from the source");
      }
      return ManifestJson.read(Files.readAllBytes(file), file.toString());
    } catch (NoSuchFileException e) {
      throw new LeatException(
          ErrorCode.INDEX_DAMAGED,
          "there is no index in "
              + directory
              + ": "
              + FILE_NAME
              + " is missing; it is built again from the source",
          e);
    } catch (IOException e) {
      throw new LeatException(
          ErrorCode.DISK_UNUSABLE, "the manifest " + file + " cannot be read: " + e, e);
    }
  }

  /** Reads a manifest from its content. Fails as {@link #read} does. */
  public static IndexManifest parse(byte[] json) {
    return ManifestJson.read(json, FILE_NAME);
  }

  /** The content of the file. */
  public byte[] toJson() {
    return ManifestJson.write(this);
  }

  /**
   * A place in the source that was not as it should be.
   *
   * @param file the source file
   * @param offset where the row begins, as its format gave it
   * @param line the number of the line from 1, or -1 where unknown
   * @param column the name of the column, or empty where the whole row is meant
   * @param reason what is wrong
   */
  public record Sample(String file, long offset, long line, String column, String reason) {}

  /**
   * A file of the index beside the manifest: a shard, or as the first one the columns that all
   * shards share.
   *
   * @param name its name in the directory
   * @param bytes its length
   * @param crc32c the CRC-32C of its content, for who copies it
   * @param footerCrc32c the CRC-32C of its footer, which has the checksums of all that is in the
   *     file, so that it can be opened without being read
   */
  public record Shard(String name, long bytes, int crc32c, int footerCrc32c) {}
}
