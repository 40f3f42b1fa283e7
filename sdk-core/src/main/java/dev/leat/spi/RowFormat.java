package dev.leat.spi;

import dev.leat.format.Column;
import java.io.IOException;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;

/** How rows stand in the files of a source. Immutable, serializable configuration. */
public interface RowFormat extends Serializable {

  /**
   * Everything that decides what rows a file has, as stable text: the name of the format and its
   * options. Part of the version's fingerprint, so it must be the same in every process and must
   * differ where rows may differ.
   */
  String definition();

  /**
   * The names of the columns of the files, in the order of the files, where the format's
   * configuration says them; a type where it says that too.
   *
   * @return the columns, or empty where only a file can tell (a header line, the schema of a
   *     Parquet file)
   */
  Optional<List<DeclaredColumn>> declaredColumns();

  /** The columns that one file says it has, for formats whose configuration does not say them. */
  List<DeclaredColumn> columnsOf(Blob file, BlobReader reader) throws IOException;

  /**
   * A reader that delivers the given columns.
   *
   * <p>Where the format's configuration says the columns, only such are asked for. Where a file
   * says them, it may lack one that was added to the table later: then the column is NULL in all
   * rows of the file, unless the format is one in which that is more likely a mistake.
   *
   * @param columns the columns to deliver, found in the file by name; the position in this list is
   *     the column number that {@link RowSink} gets; their types are those to deliver
   */
  FormatReader reader(List<Column> columns);

  /**
   * A column as a format declares it.
   *
   * @param name its name
   * @param type its type, or empty where the format does not know (text): then the target decides
   */
  record DeclaredColumn(String name, Optional<dev.leat.format.ColumnType> type) {

    /** A column whose type is known. */
    public static DeclaredColumn of(Column column) {
      return new DeclaredColumn(column.name(), Optional.of(column.type()));
    }
  }
}
