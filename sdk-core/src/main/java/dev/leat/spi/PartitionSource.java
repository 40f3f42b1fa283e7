package dev.leat.spi;

import dev.leat.format.Column;
import java.io.IOException;
import java.io.Serializable;
import java.net.URI;
import java.util.List;

/**
 * Says which partitions a partitioned table has. Immutable, serializable configuration with value
 * equality; {@link #partitions} is called on the task each time the source is looked at.
 *
 * <p>The front door for users is {@link dev.leat.Partitions}.
 */
public interface PartitionSource extends Serializable {

  /** The columns by which the table is partitioned, from the outermost to the innermost. */
  List<Column> columns();

  /**
   * Everything that decides which partitions there are for given files, as stable text. Part of the
   * version's fingerprint, so it must be the same in every process.
   */
  String definition();

  /**
   * The partitions that the table has now, in any order. One that lies within another, or is there
   * twice, is an error of the implementation.
   */
  List<Partition> partitions(Table table) throws IOException;

  /** The table whose partitions are asked for, as its source of truth shows it now. */
  interface Table {

    /** The location of the table in the source of truth. */
    URI location();

    /**
     * The source of truth of a location that a cache tier may own, such as a partition's; any other
     * location itself.
     */
    URI locate(URI location);

    /**
     * All blobs below a directory of the table or of a partition, at any depth; hidden ones, empty
     * ones and markers too. A directory below one that was listed before is not listed again.
     */
    List<Blob> list(URI directory) throws IOException;
  }
}
