package dev.leat.orc;

import dev.leat.format.Column;
import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.FormatReader;
import dev.leat.spi.RowFormat;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * ORC files, as Hive's {@code OrcSerde} reads them. Only the columns that are kept are read; the
 * stripes of a file are read in parallel. Columns are found by name in any case, and by position in
 * files whose columns are called {@code _col0}, {@code _col1} and so on, as old Hive wrote them; a
 * column that a file lacks is NULL, and one of another type is converted as ORC's library does.
 *
 * <p>Compression: none, zlib, snappy, LZO, LZ4 and zstd. {@code docs/formats.md} has the rules.
 *
 * <p>Immutable and thread-safe; each method gives a copy.
 */
public final class Orc implements RowFormat {
  private static final long serialVersionUID = 1L;

  private final @Nullable List<Column> columns;

  private Orc(@Nullable List<Column> columns) {
    this.columns = columns;
  }

  /** ORC files, whose schema says the columns. */
  public static Orc format() {
    return new Orc(null);
  }

  /**
   * The columns of the table and their types, where those of the files may be others: columns were
   * added, or types made wider, after files were written.
   */
  public Orc columns(Column... table) {
    if (table.length == 0) {
      throw new IllegalArgumentException("there is no column; name at least one");
    }
    return new Orc(List.of(table));
  }

  @Override
  public String definition() {
    return "orc/1 columns=" + (columns == null ? "file" : columns);
  }

  @Override
  public Optional<List<DeclaredColumn>> declaredColumns() {
    return Optional.ofNullable(columns).map(list -> list.stream().map(DeclaredColumn::of).toList());
  }

  @Override
  public List<DeclaredColumn> columnsOf(Blob file, BlobReader reader) throws IOException {
    Optional<List<DeclaredColumn>> declared = declaredColumns();
    return declared.isPresent() ? declared.get() : OrcRows.columnsOf(file, reader);
  }

  @Override
  public FormatReader reader(List<Column> wanted) {
    return new OrcRows(wanted, columns == null ? wanted : columns);
  }

  /** Two formats are equal if they read the same rows from every file. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Orc that && definition().equals(that.definition());
  }

  @Override
  public int hashCode() {
    return definition().hashCode();
  }

  /** The columns, if they were said. */
  @Override
  public String toString() {
    return "Orc" + (columns == null ? "[]" : columns);
  }
}
