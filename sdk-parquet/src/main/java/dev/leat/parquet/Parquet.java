package dev.leat.parquet;

import static java.util.Objects.requireNonNull;

import dev.leat.format.Column;
import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.FormatReader;
import dev.leat.spi.RowFormat;
import java.io.IOException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Parquet files, as Hive's {@code ParquetHiveSerDe} reads them. Only the columns that are kept are
 * read; the row groups of a file are read in parallel. Columns are found by name in any case; a
 * column that a file lacks is NULL.
 *
 * <p>Compression: none, snappy, gzip, zstd and LZ4_RAW. {@code docs/formats.md} has the rules for
 * types, dates and timestamps.
 *
 * <p>Immutable and thread-safe; each method gives a copy.
 */
public final class Parquet implements RowFormat {
  private static final long serialVersionUID = 1L;

  private final @Nullable List<Column> columns;
  private final String zone;

  private Parquet(@Nullable List<Column> columns, String zone) {
    this.columns = columns;
    this.zone = zone;
  }

  /** Parquet files, whose schema says the columns. */
  public static Parquet format() {
    return new Parquet(null, ZoneOffset.UTC.getId());
  }

  /**
   * The columns of the table and their types, where those of the files may be others: columns were
   * added, or types made wider, after files were written.
   */
  public Parquet columns(Column... table) {
    if (table.length == 0) {
      throw new IllegalArgumentException("there is no column; name at least one");
    }
    return new Parquet(List.of(table), zone);
  }

  /**
   * The time zone in which Hive and Spark show timestamps that are instants ({@code INT96}, and
   * {@code INT64} that is adjusted to UTC); UTC where nothing is said.
   */
  public Parquet timeZone(ZoneId timeZone) {
    return new Parquet(columns, requireNonNull(timeZone, "timeZone").normalized().getId());
  }

  @Override
  public String definition() {
    return "parquet/1 zone=" + zone + " columns=" + (columns == null ? "file" : columns);
  }

  @Override
  public Optional<List<DeclaredColumn>> declaredColumns() {
    return Optional.ofNullable(columns).map(list -> list.stream().map(DeclaredColumn::of).toList());
  }

  @Override
  public List<DeclaredColumn> columnsOf(Blob file, BlobReader reader) throws IOException {
    Optional<List<DeclaredColumn>> declared = declaredColumns();
    return declared.isPresent() ? declared.get() : ParquetRows.columnsOf(file, reader);
  }

  @Override
  public FormatReader reader(List<Column> wanted) {
    return new ParquetRows(wanted, ZoneId.of(zone));
  }

  /** Two formats are equal if they read the same rows from every file. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Parquet that && definition().equals(that.definition());
  }

  @Override
  public int hashCode() {
    return definition().hashCode();
  }

  /** The columns, if they were said. */
  @Override
  public String toString() {
    return "Parquet" + (columns == null ? "[]" : columns);
  }
}
