package dev.leat.format;

import dev.leat.internal.text.JsonLinesReader;
import dev.leat.internal.text.Strictness;
import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.FormatReader;
import dev.leat.spi.RowFormat;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One JSON object per line, as Hive's {@code JsonSerDe} reads them: a column is the member of its
 * name in any case, a member without a column is left out, a missing member is NULL.
 *
 * <p>The columns are those of the row type, or those that {@link #columns} names. Compressed files
 * are read as those of {@link DelimitedText}; {@code docs/formats.md} has the rules for every type.
 *
 * <p>Immutable and thread-safe; each method gives a copy.
 */
public final class Json implements RowFormat {
  private static final long serialVersionUID = 1L;

  private final @Nullable List<Column> columns;
  private final Strictness strictness;

  private Json(@Nullable List<Column> columns, Strictness strictness) {
    this.columns = columns;
    this.strictness = strictness;
  }

  /** One object per line. */
  public static Json lines() {
    return new Json(null, Strictness.LENIENT);
  }

  /**
   * Says which members are columns, and their types. Without this, the first lines of a file say
   * which there are, and the components of the target their types.
   */
  public Json columns(Column... columns) {
    List<Column> list = List.of(columns);
    if (list.isEmpty()) {
      throw new IllegalArgumentException("there is no column; name the members to keep");
    }
    if (list.stream()
            .map(column -> column.name().toLowerCase(java.util.Locale.ROOT))
            .distinct()
            .count()
        < list.size()) {
      throw new IllegalArgumentException(
          "give the columns "
              + Arrays.toString(columns)
              + " names that differ in more than their case");
    }
    return new Json(list, strictness);
  }

  /** Makes a row malformed, where Hive reads NULL or 0, if a value does not fit its column. */
  public Json strict() {
    return new Json(columns, Strictness.STRICT);
  }

  @Override
  public String definition() {
    return "json-lines/1 "
        + strictness
        + " columns="
        + (columns == null
            ? "members"
            : columns.stream()
                .map(column -> '"' + column.name().replace("\"", "\\\"") + "\":" + column.type())
                .toList());
  }

  @Override
  public Optional<List<DeclaredColumn>> declaredColumns() {
    return Optional.ofNullable(columns).map(list -> list.stream().map(DeclaredColumn::of).toList());
  }

  @Override
  public List<DeclaredColumn> columnsOf(Blob file, BlobReader reader) throws IOException {
    Optional<List<DeclaredColumn>> declared = declaredColumns();
    if (declared.isPresent()) {
      return declared.get();
    }
    return JsonLinesReader.membersOf(file, reader).stream()
        .map(name -> new DeclaredColumn(name, Optional.empty()))
        .toList();
  }

  @Override
  public FormatReader reader(List<Column> wanted) {
    return new JsonLinesReader(wanted, strictness);
  }

  /** Two formats are equal if they read the same rows from every file. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Json json && definition().equals(json.definition());
  }

  @Override
  public int hashCode() {
    return definition().hashCode();
  }

  /** The columns, if they were said. */
  @Override
  public String toString() {
    return "Json[lines" + (columns == null ? "" : ", " + columns) + "]";
  }
}
