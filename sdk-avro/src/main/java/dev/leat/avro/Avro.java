package dev.leat.avro;

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
 * Avro's object container files, as Hive's {@code AvroSerDe} reads them. Fields that are not kept
 * are skipped; the blocks of a file are read in parallel. Columns are found by name in any case; a
 * column that a file lacks is NULL.
 *
 * <p>Codecs: null and deflate; bzip2 with the optional library {@code
 * org.apache.commons:commons-compress}, snappy with {@code org.xerial.snappy:snappy-java} and
 * zstandard with {@code com.github.luben:zstd-jni}. {@code docs/formats.md} has the rules for
 * types.
 *
 * <p>Immutable and thread-safe; each method gives a copy.
 */
public final class Avro implements RowFormat {
  private static final long serialVersionUID = 1L;

  private final @Nullable List<Column> columns;
  private final String zone;

  private Avro(@Nullable List<Column> columns, String zone) {
    this.columns = columns;
    this.zone = zone;
  }

  /** Avro files, whose schema says the columns. */
  public static Avro format() {
    return new Avro(null, ZoneOffset.UTC.getId());
  }

  /**
   * The columns of the table and their types, where those of the files may be others: columns were
   * added, or types made wider, after files were written.
   */
  public Avro columns(Column... table) {
    if (table.length == 0) {
      throw new IllegalArgumentException("there is no column; name at least one");
    }
    return new Avro(List.of(table), zone);
  }

  /**
   * The time zone in which Hive shows timestamps, which are instants in Avro; UTC where nothing is
   * said. Those of the logical types {@code local-timestamp-…} are none.
   */
  public Avro timeZone(ZoneId timeZone) {
    return new Avro(columns, requireNonNull(timeZone, "timeZone").normalized().getId());
  }

  @Override
  public String definition() {
    return "avro/1 zone=" + zone + " columns=" + (columns == null ? "file" : columns);
  }

  @Override
  public Optional<List<DeclaredColumn>> declaredColumns() {
    return Optional.ofNullable(columns).map(list -> list.stream().map(DeclaredColumn::of).toList());
  }

  @Override
  public List<DeclaredColumn> columnsOf(Blob file, BlobReader reader) throws IOException {
    Optional<List<DeclaredColumn>> declared = declaredColumns();
    return declared.isPresent() ? declared.get() : AvroRows.columnsOf(file, reader);
  }

  @Override
  public FormatReader reader(List<Column> wanted) {
    return new AvroRows(wanted, ZoneId.of(zone));
  }

  /** Two formats are equal if they read the same rows from every file. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Avro that && definition().equals(that.definition());
  }

  @Override
  public int hashCode() {
    return definition().hashCode();
  }

  /** The columns, if they were said. */
  @Override
  public String toString() {
    return "Avro" + (columns == null ? "[]" : columns);
  }
}
