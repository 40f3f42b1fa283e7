package dev.leat.internal.text;

import static java.util.Objects.requireNonNull;

import dev.leat.format.Column;
import dev.leat.format.DelimitedText;
import dev.leat.spi.FormatOption;
import dev.leat.spi.FormatOptions;
import dev.leat.spi.RowFormat;
import dev.leat.spi.RowFormatFactory;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Optional;

/** Makes {@link DelimitedText} of options. */
public final class DelimitedTextFactory implements RowFormatFactory {
  private static final String DELIMITER = "field-delimiter";
  private static final String COLLECTIONS = "collection-delimiter";
  private static final String MAP_KEYS = "map-key-delimiter";
  private static final String ESCAPE = "escape-character";
  private static final String NULL = "null-literal";
  private static final String STRICT = "strict";

  /** For the service loader. */
  public DelimitedTextFactory() {}

  @Override
  public String identifier() {
    return "text";
  }

  @Override
  public List<FormatOption> options() {
    return List.of(
        FormatOption.of(
            DELIMITER,
            "The character between the cells of a line: as itself, as \\t, in octal as \\001, or as \\u0001.",
            "\\001"),
        FormatOption.of(
            COLLECTIONS,
            "The character between the elements of an array, the entries of a map and the fields of a struct.",
            "\\002"),
        FormatOption.of(
            MAP_KEYS, "The character between the key and the value of a map's entry.", "\\003"),
        FormatOption.of(
            ESCAPE, "The character that takes the meaning off the delimiter behind it."),
        FormatOption.of(NULL, "The text of a cell that is NULL.", "\\N"),
        LineOptions.CHARSET,
        LineOptions.HEADER,
        LineOptions.SKIP_HEADER_LINES,
        LineOptions.SKIP_FOOTER_LINES,
        FormatOption.of(
            STRICT,
            "Whether a row with too few or too many cells, or a cell that cannot be read, is malformed; otherwise such cells are NULL, as Hive reads them.",
            "false"));
  }

  @Override
  public RowFormat create(FormatOptions options) {
    DelimitedText text =
        DelimitedText.separatedBy(requireNonNull(options.character(DELIMITER).orElse(null)));
    text = text.nullMarker(options.text(NULL).orElse("\\N"));
    text =
        text.collectionItemsSeparatedBy(requireNonNull(options.character(COLLECTIONS).orElse(null)))
            .mapKeysSeparatedBy(requireNonNull(options.character(MAP_KEYS).orElse(null)));
    if (options.character(ESCAPE).isPresent()) {
      text = text.escapedBy(options.character(ESCAPE).get());
    }
    Optional<Charset> charset = options.charset(LineOptions.CHARSET.name());
    if (charset.isPresent()) {
      text = text.charset(charset.get());
    }
    if (options.flag(STRICT)) {
      text = text.strict();
    }
    text = text.skipHeaderLines(options.count(LineOptions.SKIP_HEADER_LINES.name()).orElse(0));
    text = text.skipFooterLines(options.count(LineOptions.SKIP_FOOTER_LINES.name()).orElse(0));
    return options.flag(LineOptions.HEADER.name())
        ? text.withHeader()
        : text.columns(options.columns().toArray(Column[]::new));
  }
}
