package dev.leat.format;

import static java.util.Objects.requireNonNull;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.internal.text.CsvLayout;
import dev.leat.internal.text.CsvReader;
import dev.leat.internal.text.Strictness;
import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.FormatReader;
import dev.leat.spi.RowFormat;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Lines of cells that may stand in quotes, as Hive's {@code OpenCSVSerde} reads them: {@code a,"b,
 * c","he said ""no"""}.
 *
 * <p>A row is a line: a line end cannot stand in a cell, since Hive cuts lines first. Cells are
 * text; a missing cell is NULL and an empty one is empty text. Columns of other types than STRING,
 * which Hive does not have here, are read as {@link DelimitedText} reads them, and a cell in quotes
 * is none. Compressed files are read as those of {@link DelimitedText}.
 *
 * <p>Immutable and thread-safe; each method gives a copy.
 */
public final class Csv implements RowFormat {
  private static final long serialVersionUID = 1L;

  private final char separator;
  private final char quote;
  private final char escape;
  private final @Nullable String nullMarker;
  private final String charset;
  private final @Nullable List<DeclaredName> columns;
  private final boolean namesInHeader;
  private final int headerLines;
  private final int footerLines;
  private final Strictness strictness;

  private Csv(
      char separator,
      char quote,
      char escape,
      @Nullable String nullMarker,
      String charset,
      @Nullable List<DeclaredName> columns,
      boolean namesInHeader,
      int headerLines,
      int footerLines,
      Strictness strictness) {
    this.separator = separator;
    this.quote = quote;
    this.escape = escape;
    this.nullMarker = nullMarker;
    this.charset = charset;
    this.columns = columns;
    this.namesInHeader = namesInHeader;
    this.headerLines = headerLines;
    this.footerLines = footerLines;
    this.strictness = strictness;
  }

  /** Cells with a character between them; {@code "} is the quote and {@code \} the escape. */
  public static Csv separatedBy(char separator) {
    checkMark("separator", separator);
    return new Csv(
            separator,
            separator == '"' ? '\'' : '"',
            '\\',
            null,
            StandardCharsets.UTF_8.name(),
            null,
            false,
            0,
            0,
            Strictness.LENIENT)
        .checked();
  }

  /** Cells with commas between them. */
  public static Csv commaSeparated() {
    return separatedBy(',');
  }

  private static void checkMark(String what, char mark) {
    if (mark == 0 || mark == '\n' || mark == '\r') {
      throw new IllegalArgumentException(
          "the " + what + " cannot be the character " + (int) mark + "; use another one");
    }
  }

  private Csv checked() {
    if (separator == quote || separator == escape || quote == escape) {
      throw new IllegalArgumentException(
          "the separator '"
              + separator
              + "', the quote '"
              + quote
              + "' and the escape '"
              + escape
              + "' must be three characters");
    }
    return this;
  }

  /** The character around cells, as Hive's {@code quoteChar}. */
  public Csv quotedBy(char newQuote) {
    checkMark("quote", newQuote);
    return new Csv(
            separator,
            newQuote,
            escape,
            nullMarker,
            charset,
            columns,
            namesInHeader,
            headerLines,
            footerLines,
            strictness)
        .checked();
  }

  /**
   * The character that takes the meaning off a quote, as Hive's {@code escapeChar}; a quote may
   * also be doubled.
   */
  public Csv escapedBy(char newEscape) {
    checkMark("escape", newEscape);
    return new Csv(
            separator,
            quote,
            newEscape,
            nullMarker,
            charset,
            columns,
            namesInHeader,
            headerLines,
            footerLines,
            strictness)
        .checked();
  }

  /** The text of a cell that is NULL; not in Hive, for which only a missing cell is. */
  public Csv nullMarker(String marker) {
    return new Csv(
        separator,
        quote,
        escape,
        requireNonNull(marker, "marker"),
        charset,
        columns,
        namesInHeader,
        headerLines,
        footerLines,
        strictness);
  }

  /** The character set of the files, a superset of ASCII; UTF-8 where nothing is said. */
  public Csv charset(Charset newCharset) {
    String probe = "\n\r\",;\\";
    if (!new String(probe.getBytes(StandardCharsets.US_ASCII), newCharset).equals(probe)) {
      throw new IllegalArgumentException(
          "lines cannot be found in "
              + newCharset
              + ", which is no superset of ASCII; convert the files to UTF-8");
    }
    return new Csv(
        separator,
        quote,
        escape,
        nullMarker,
        newCharset.name(),
        columns,
        namesInHeader,
        headerLines,
        footerLines,
        strictness);
  }

  /**
   * Names the cells of a line, in order. What a cell becomes is decided by the component of the
   * target that has the same name.
   */
  public Csv columns(String... names) {
    return withColumns(Arrays.stream(names).map(name -> new DeclaredName(name, null)).toList());
  }

  /** Names the cells of a line, in order, and says their types. */
  public Csv columns(Column... typed) {
    return withColumns(
        Arrays.stream(typed)
            .map(column -> new DeclaredName(column.name(), column.type()))
            .toList());
  }

  private Csv withColumns(List<DeclaredName> newColumns) {
    List<String> names = newColumns.stream().map(DeclaredName::name).toList();
    if (names.isEmpty() || names.stream().anyMatch(String::isBlank)) {
      throw new IllegalArgumentException("columns need names, got " + names);
    }
    if (names.stream().distinct().count() < names.size()) {
      throw new IllegalArgumentException("give the columns " + names + " distinct names");
    }
    if (namesInHeader) {
      throw new IllegalArgumentException(
          "the columns come from the header line; use either withHeader() or columns(…), the latter with skipHeaderLines(1)");
    }
    return new Csv(
        separator,
        quote,
        escape,
        nullMarker,
        charset,
        newColumns,
        false,
        headerLines,
        footerLines,
        strictness);
  }

  /**
   * Takes the names of the columns from the first line of each file. They may stand in another
   * order in each.
   */
  public Csv withHeader() {
    if (columns != null || headerLines > 0) {
      throw new IllegalArgumentException(
          "use either withHeader(), or columns(…) with skipHeaderLines(1)");
    }
    return new Csv(
        separator, quote, escape, nullMarker, charset, null, true, 1, footerLines, strictness);
  }

  /** Leaves out lines at the beginning of each file, as {@code skip.header.line.count} does. */
  public Csv skipHeaderLines(int lines) {
    if (lines < 0 || namesInHeader) {
      throw new IllegalArgumentException(
          lines + " header lines cannot be skipped; use 0 or more, and not beside withHeader()");
    }
    return new Csv(
        separator,
        quote,
        escape,
        nullMarker,
        charset,
        columns,
        false,
        lines,
        footerLines,
        strictness);
  }

  /** Leaves out lines at the end of each file, as {@code skip.footer.line.count} does. */
  public Csv skipFooterLines(int lines) {
    if (lines < 0) {
      throw new IllegalArgumentException(lines + " footer lines cannot be skipped; use 0 or more");
    }
    return new Csv(
        separator,
        quote,
        escape,
        nullMarker,
        charset,
        columns,
        namesInHeader,
        headerLines,
        lines,
        strictness);
  }

  /**
   * Makes a row malformed if its line has too few or too many cells, a quote that is not closed, or
   * a cell that is kept and cannot be read as its column's type.
   */
  public Csv strict() {
    return new Csv(
        separator,
        quote,
        escape,
        nullMarker,
        charset,
        columns,
        namesInHeader,
        headerLines,
        footerLines,
        Strictness.STRICT);
  }

  @Override
  public String definition() {
    return "csv/1 separator="
        + (int) separator
        + " quote="
        + (int) quote
        + " escape="
        + (int) escape
        + " null="
        + (nullMarker == null ? "none" : '"' + nullMarker.replace("\"", "\\\"") + '"')
        + " charset="
        + charset
        + " header="
        + headerLines
        + " footer="
        + footerLines
        + " "
        + strictness
        + " columns="
        + (namesInHeader ? "header" : columns == null ? "none" : columns);
  }

  @Override
  public Optional<List<DeclaredColumn>> declaredColumns() {
    return Optional.ofNullable(columns)
        .map(list -> list.stream().map(DeclaredName::declared).toList());
  }

  @Override
  public List<DeclaredColumn> columnsOf(Blob file, BlobReader reader) throws IOException {
    if (columns != null) {
      return columns.stream().map(DeclaredName::declared).toList();
    }
    checkNamed();
    return CsvReader.headerOf(file, reader, layout()).stream()
        .map(name -> new DeclaredColumn(name, Optional.empty()))
        .toList();
  }

  @Override
  public FormatReader reader(List<Column> wanted) {
    checkNamed();
    return new CsvReader(
        wanted,
        Optional.ofNullable(columns).map(list -> list.stream().map(DeclaredName::name).toList()),
        layout());
  }

  private void checkNamed() {
    if (columns == null && !namesInHeader) {
      throw new LeatException(
          ErrorCode.INVALID_DEFINITION,
          "the cells of "
              + this
              + " have no names; say columns(…), or withHeader() if the files begin with them");
    }
  }

  private CsvLayout layout() {
    return new CsvLayout(
        separator,
        quote,
        escape,
        Optional.ofNullable(nullMarker),
        charset,
        headerLines,
        footerLines,
        strictness);
  }

  /** Two formats are equal if they read the same rows from every file. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Csv csv && definition().equals(csv.definition());
  }

  @Override
  public int hashCode() {
    return definition().hashCode();
  }

  /** The separator and the columns. */
  @Override
  public String toString() {
    return "Csv[separated by '"
        + separator
        + "'"
        + (namesInHeader ? ", header line" : columns == null ? "" : ", " + columns)
        + "]";
  }

  /** A column with a type or without. */
  private record DeclaredName(String name, @Nullable ColumnType type)
      implements java.io.Serializable {
    DeclaredColumn declared() {
      return new DeclaredColumn(name, Optional.ofNullable(type));
    }

    @Override
    public String toString() {
      return type == null ? name : name + ":" + type;
    }
  }
}
