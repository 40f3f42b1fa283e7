package dev.leat.format;

import static java.util.Objects.requireNonNull;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.internal.text.DelimitedTextReader;
import dev.leat.internal.text.Strictness;
import dev.leat.internal.text.TextLayout;
import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.FormatReader;
import dev.leat.spi.RowFormat;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Lines of cells with a delimiter between them, as Hive writes and reads them ({@code ROW FORMAT
 * DELIMITED FIELDS TERMINATED BY '|'}, {@code LazySimpleSerDe}).
 *
 * <p>Lines end with LF, CR LF or CR. Without further options a cell {@code \N} is NULL, nothing is
 * escaped, missing cells are NULL and superfluous ones are left out, and a cell that cannot be read
 * as its column's type is NULL and counted. Files whose names end in {@code .gz}, {@code .deflate},
 * {@code .bz2}, {@code .zst}, {@code .snappy}, {@code .lz4} or {@code .lzo} are decompressed;
 * {@code .bz2} takes the optional library {@code org.apache.commons:commons-compress}, the last
 * four take {@code io.airlift:aircompressor}. {@code docs/formats.md} has the rules for every type.
 *
 * <p>Immutable and thread-safe; each method gives a copy.
 */
public final class DelimitedText implements RowFormat {
  private static final long serialVersionUID = 1L;
  private static final String ASCII =
      "\n\r !\"#$%&'()*+,-./0123456789:;<=>?@ABCXYZ[\\]^_`abcxyz{|}~";

  private final char delimiter;
  private final @Nullable Character escape;
  private final char collectionDelimiter;
  private final char mapKeyDelimiter;
  private final String nullMarker;
  private final String charset;
  private final @Nullable List<String> names;
  private final @Nullable List<ColumnType> types;
  private final int headerLines;
  private final int footerLines;
  private final boolean namesInHeader;
  private final Strictness strictness;

  private DelimitedText(Draft draft) {
    this.delimiter = draft.delimiter;
    this.escape = draft.escape;
    this.collectionDelimiter = draft.collectionDelimiter;
    this.mapKeyDelimiter = draft.mapKeyDelimiter;
    this.nullMarker = draft.nullMarker;
    this.charset = draft.charset;
    this.names = draft.names;
    this.types = draft.types;
    this.headerLines = draft.headerLines;
    this.footerLines = draft.footerLines;
    this.namesInHeader = draft.namesInHeader;
    this.strictness = draft.strictness;
  }

  /**
   * Begins with the character between the cells of a line.
   *
   * @param delimiter an ASCII character other than a line end; Hive's default is {@code '\001'}
   */
  public static DelimitedText separatedBy(char delimiter) {
    checkMark("delimiter", delimiter);
    return new DelimitedText(new Draft(delimiter));
  }

  private static void checkMark(String what, char mark) {
    if (mark > 127 || mark == '\n' || mark == '\r') {
      throw new IllegalArgumentException(
          "the "
              + what
              + " is the character "
              + (int) mark
              + "; use an ASCII character (0 to 127) other than LF and CR, since Hive knows no other");
    }
  }

  /**
   * Names the cells of a line, in order. What a cell becomes is decided by the component of the
   * target that has the same name.
   */
  public DelimitedText columns(String... names) {
    for (String name : requireNonNull(names, "names")) {
      if (requireNonNull(name, "name").isBlank()) {
        throw new IllegalArgumentException(
            "a column's name must not be blank, got " + Arrays.toString(names));
      }
    }
    return withColumns(List.of(names), null);
  }

  /** Names the cells of a line, in order, and says their types, as a Hive table does. */
  public DelimitedText columns(Column... columns) {
    List<Column> list = List.of(requireNonNull(columns, "columns"));
    return withColumns(
        list.stream().map(Column::name).toList(), list.stream().map(Column::type).toList());
  }

  private DelimitedText withColumns(List<String> newNames, @Nullable List<ColumnType> newTypes) {
    if (newNames.isEmpty()) {
      throw new IllegalArgumentException("there is no column; name the cells of a line in order");
    }
    Set<String> distinct = new HashSet<>();
    for (String name : newNames) {
      if (!distinct.add(name)) {
        throw new IllegalArgumentException(
            "the column '"
                + name
                + "' is there twice; give the columns "
                + newNames
                + " distinct names");
      }
    }
    if (namesInHeader) {
      throw new IllegalArgumentException(
          "the columns come from the header line; use either withHeader() or columns(…), the latter with skipHeaderLines(1)");
    }
    return change(
        draft -> {
          draft.names = newNames;
          draft.types = newTypes;
        });
  }

  /**
   * Takes the names of the columns from the first line of each file. They may stand in another
   * order in each.
   */
  public DelimitedText withHeader() {
    if (names != null) {
      throw new IllegalArgumentException(
          "the columns are "
              + names
              + "; use either withHeader() or columns(…), the latter with skipHeaderLines(1)");
    }
    if (headerLines > 0) {
      throw new IllegalArgumentException(
          "withHeader() takes one line and skipHeaderLines("
              + headerLines
              + ") was said before; use one of them");
    }
    return change(
        draft -> {
          draft.namesInHeader = true;
          draft.headerLines = 1;
        });
  }

  /**
   * Leaves out lines at the beginning of each file, as Hive's {@code skip.header.line.count} does.
   */
  public DelimitedText skipHeaderLines(int lines) {
    checkNotNegative("header", lines);
    if (namesInHeader) {
      throw new IllegalArgumentException(
          "withHeader() takes one line, skipHeaderLines("
              + lines
              + ") cannot be said beside it; use one of them");
    }
    return change(draft -> draft.headerLines = lines);
  }

  /**
   * Leaves out lines at the end of each file, as Hive's {@code skip.footer.line.count} does. Such
   * files are not read in parallel.
   */
  public DelimitedText skipFooterLines(int lines) {
    checkNotNegative("footer", lines);
    return change(draft -> draft.footerLines = lines);
  }

  private static void checkNotNegative(String what, int lines) {
    if (lines < 0) {
      throw new IllegalArgumentException(
          lines + " " + what + " lines cannot be skipped; use 0 or more");
    }
  }

  /**
   * The text of a cell that is NULL instead of {@code \N}, e.g. the empty text; as Hive's {@code
   * NULL DEFINED AS}. It is compared before escapes are resolved.
   */
  public DelimitedText nullMarker(String marker) {
    requireNonNull(marker, "marker");
    return change(draft -> draft.nullMarker = marker);
  }

  /**
   * The character that takes the meaning off the delimiter after it, as Hive's {@code ESCAPED BY};
   * before {@code n} and {@code r} it makes a line feed and a carriage return.
   *
   * @param escape an ASCII character other than a line end and the delimiter
   */
  public DelimitedText escapedBy(char escape) {
    checkMark("escape", escape);
    if (escape == delimiter) {
      throw new IllegalArgumentException(
          "the escape '" + escape + "' is the delimiter; use two characters");
    }
    return change(draft -> draft.escape = escape);
  }

  /**
   * The character between the elements of an array, the entries of a map and the fields of a
   * struct, as Hive's {@code COLLECTION ITEMS TERMINATED BY}; {@code '\002'} where nothing is said.
   * What is nested deeper has {@code '\004'}, {@code '\005'} and so on, as in Hive.
   *
   * @param mark an ASCII character other than a line end
   */
  public DelimitedText collectionItemsSeparatedBy(char mark) {
    checkMark("delimiter of collections", mark);
    return change(draft -> draft.collectionDelimiter = mark);
  }

  /**
   * The character between a map's key and its value, and the second separator of what is nested, as
   * Hive's {@code MAP KEYS TERMINATED BY}; {@code '\003'} where nothing is said.
   *
   * @param mark an ASCII character other than a line end
   */
  public DelimitedText mapKeysSeparatedBy(char mark) {
    checkMark("delimiter of map keys", mark);
    return change(draft -> draft.mapKeyDelimiter = mark);
  }

  /**
   * The character set of the files, as Hive's {@code serialization.encoding}; UTF-8 where nothing
   * is said.
   *
   * @param charset a superset of ASCII, since lines are cut before they are decoded
   */
  public DelimitedText charset(Charset charset) {
    requireNonNull(charset, "charset");
    if (!new String(ASCII.getBytes(StandardCharsets.US_ASCII), charset).equals(ASCII)) {
      throw new IllegalArgumentException(
          "lines cannot be found in "
              + charset
              + ", which is no superset of ASCII; convert the files to UTF-8");
    }
    return change(draft -> draft.charset = charset.name());
  }

  /**
   * Makes a row malformed, where Hive reads NULL, if its line has too few or too many cells, or a
   * cell that is kept and cannot be read as its column's type, or is not UTF-8. One delimiter after
   * the last cell is allowed. What is done with malformed rows is said by {@link
   * dev.leat.Dimension#malformedRows}.
   */
  public DelimitedText strict() {
    return change(draft -> draft.strictness = Strictness.STRICT);
  }

  private DelimitedText change(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return new DelimitedText(draft);
  }

  @Override
  public String definition() {
    StringBuilder text = new StringBuilder("delimited-text/1 delimiter=").append((int) delimiter);
    text.append(" escape=").append(escape == null ? "none" : Integer.toString(escape));
    if (collectionDelimiter != TextLayout.COLLECTION_DELIMITER
        || mapKeyDelimiter != TextLayout.MAP_KEY_DELIMITER) {
      text.append(" collections=").append((int) collectionDelimiter);
      text.append(" map-keys=").append((int) mapKeyDelimiter);
    }
    text.append(" null=").append(quoted(nullMarker)).append(" charset=").append(charset);
    text.append(" header=")
        .append(headerLines)
        .append(" footer=")
        .append(footerLines)
        .append(' ')
        .append(strictness);
    text.append(" columns=")
        .append(
            namesInHeader
                ? "header"
                : declaredColumns().map(DelimitedText::columnsText).orElse("none"));
    return text.toString();
  }

  private static String columnsText(List<DeclaredColumn> columns) {
    return columns.stream()
        .map(column -> quoted(column.name()) + column.type().map(type -> ":" + type).orElse(""))
        .collect(Collectors.joining(",", "[", "]"));
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  @Override
  public Optional<List<DeclaredColumn>> declaredColumns() {
    List<String> declared = names;
    List<ColumnType> declaredTypes = types;
    if (declared == null) {
      return Optional.empty();
    }
    return Optional.of(
        IntStream.range(0, declared.size())
            .mapToObj(
                i ->
                    new DeclaredColumn(
                        declared.get(i),
                        declaredTypes == null
                            ? Optional.empty()
                            : Optional.of(declaredTypes.get(i))))
            .toList());
  }

  @Override
  public List<DeclaredColumn> columnsOf(Blob file, BlobReader reader) throws IOException {
    Optional<List<DeclaredColumn>> declared = declaredColumns();
    if (declared.isPresent()) {
      return declared.get();
    }
    checkNamed();
    return DelimitedTextReader.headerOf(file, reader, layout()).stream()
        .map(name -> new DeclaredColumn(name, Optional.empty()))
        .toList();
  }

  @Override
  public FormatReader reader(List<Column> columns) {
    checkNamed();
    return new DelimitedTextReader(columns, Optional.ofNullable(names), layout());
  }

  private void checkNamed() {
    if (names == null && !namesInHeader) {
      throw new LeatException(
          ErrorCode.INVALID_DEFINITION,
          "the cells of "
              + this
              + " have no names; say columns(…), or withHeader() if the files begin with them");
    }
  }

  private TextLayout layout() {
    return new TextLayout(
        (byte) delimiter,
        Optional.ofNullable(escape).map(character -> (byte) character.charValue()),
        (byte) collectionDelimiter,
        (byte) mapKeyDelimiter,
        nullMarker,
        Charset.forName(charset),
        headerLines,
        footerLines,
        strictness);
  }

  /** Two formats are equal if they read the same rows from every file. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof DelimitedText text && definition().equals(text.definition());
  }

  @Override
  public int hashCode() {
    return definition().hashCode();
  }

  /** The delimiter and the columns. */
  @Override
  public String toString() {
    String mark =
        delimiter > ' ' && delimiter < 127 ? "'" + delimiter + "'" : "character " + (int) delimiter;
    return "DelimitedText[separated by "
        + mark
        + (namesInHeader ? ", header line" : names == null ? "" : ", " + names)
        + "]";
  }

  /** A format while it is being made. */
  private static final class Draft {
    private final char delimiter;
    private @Nullable Character escape;
    private char collectionDelimiter = TextLayout.COLLECTION_DELIMITER;
    private char mapKeyDelimiter = TextLayout.MAP_KEY_DELIMITER;
    private String nullMarker = "\\N";
    private String charset = StandardCharsets.UTF_8.name();
    private @Nullable List<String> names;
    private @Nullable List<ColumnType> types;
    private int headerLines;
    private int footerLines;
    private boolean namesInHeader;
    private Strictness strictness = Strictness.LENIENT;

    Draft(char delimiter) {
      this.delimiter = delimiter;
    }

    Draft(DelimitedText former) {
      delimiter = former.delimiter;
      escape = former.escape;
      collectionDelimiter = former.collectionDelimiter;
      mapKeyDelimiter = former.mapKeyDelimiter;
      nullMarker = former.nullMarker;
      charset = former.charset;
      names = former.names;
      types = former.types;
      headerLines = former.headerLines;
      footerLines = former.footerLines;
      namesInHeader = former.namesInHeader;
      strictness = former.strictness;
    }
  }
}
