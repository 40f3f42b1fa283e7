package dev.leat.internal.engine.source;

import dev.leat.internal.scan.TableScan;
import dev.leat.internal.schema.TableSchema;
import dev.leat.spi.Blob;
import dev.leat.spi.FileSplit;
import java.net.URI;
import java.util.List;

/**
 * One version of a source, as one listing showed it.
 *
 * @param lineage eight hexadecimal digits that stand for the definition and the location; the same
 *     for all versions of them
 * @param id the version's name in directories, logs and metrics: the lineage and sixteen digits
 *     that stand for the files
 * @param fingerprint the whole SHA-256 over definition, location and files, in hexadecimal digits
 * @param schema the columns to keep
 * @param location the location of the source of truth
 * @param files the files, in the order that decides which of several rows of a key comes first
 * @param identities for each file what stands for its content, its place and the way in which it is
 *     read: a SHA-256 in hexadecimal digits
 * @param scan how they are read
 */
public record SourceVersion(
    String lineage,
    String id,
    String fingerprint,
    TableSchema schema,
    URI location,
    List<Blob> files,
    List<String> identities,
    TableScan scan) {

  /** Copies the lists. */
  public SourceVersion {
    files = List.copyOf(files);
    identities = List.copyOf(identities);
  }

  /** What it is called. */
  public VersionName name() {
    return new VersionName(id, fingerprint);
  }

  /**
   * A name for the rows of a part of a file: the same in another version as long as the definition
   * and the file are the same.
   *
   * @param ordinal the position of the file
   */
  public String splitKey(int ordinal, FileSplit split) {
    return lineage
        + "-"
        + identities.get(ordinal).substring(0, 40)
        + "-"
        + split.start()
        + "-"
        + split.length();
  }

  /** The bytes of all files. */
  public long bytes() {
    return files.stream().mapToLong(Blob::length).sum();
  }
}
