package dev.leat.internal.text;

import static java.util.Objects.requireNonNull;

import dev.leat.format.Column;
import dev.leat.format.Csv;
import dev.leat.spi.FormatOption;
import dev.leat.spi.FormatOptions;
import dev.leat.spi.RowFormat;
import dev.leat.spi.RowFormatFactory;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Optional;

/** Makes {@link Csv} of options. */
public final class CsvFactory implements RowFormatFactory {
  private static final String SEPARATOR = "field-delimiter";
  private static final String QUOTE = "quote-character";
  private static final String ESCAPE = "escape-character";
  private static final String NULL = "null-literal";
  private static final String STRICT = "strict";

  /** For the service loader. */
  public CsvFactory() {}

  @Override
  public String identifier() {
    return "csv";
  }

  @Override
  public List<FormatOption> options() {
    return List.of(
        FormatOption.of(SEPARATOR, "The character between the cells of a line.", ","),
        FormatOption.of(QUOTE, "The character around cells.", "\""),
        FormatOption.of(
            ESCAPE, "The character that takes the meaning off a quote behind it.", "\\"),
        FormatOption.of(
            NULL,
            "The text of a cell that is NULL; without it, as in Hive, only a missing cell is."),
        LineOptions.CHARSET,
        LineOptions.HEADER,
        LineOptions.SKIP_HEADER_LINES,
        LineOptions.SKIP_FOOTER_LINES,
        FormatOption.of(
            STRICT,
            "Whether a row with too few or too many cells, or a cell that cannot be read, is malformed.",
            "false"));
  }

  @Override
  public RowFormat create(FormatOptions options) {
    char separator = requireNonNull(options.character(SEPARATOR).orElse(null));
    char quote = requireNonNull(options.character(QUOTE).orElse(null));
    Csv csv = Csv.separatedBy(separator);
    // In an order in which no two marks are the same on the way.
    csv =
        csv.escapedBy('\u0001')
            .quotedBy(quote)
            .escapedBy(requireNonNull(options.character(ESCAPE).orElse(null)));
    if (options.text(NULL).isPresent()) {
      csv = csv.nullMarker(options.text(NULL).get());
    }
    Optional<Charset> charset = options.charset(LineOptions.CHARSET.name());
    if (charset.isPresent()) {
      csv = csv.charset(charset.get());
    }
    if (options.flag(STRICT)) {
      csv = csv.strict();
    }
    csv = csv.skipHeaderLines(options.count(LineOptions.SKIP_HEADER_LINES.name()).orElse(0));
    csv = csv.skipFooterLines(options.count(LineOptions.SKIP_FOOTER_LINES.name()).orElse(0));
    return options.flag(LineOptions.HEADER.name())
        ? csv.withHeader()
        : csv.columns(options.columns().toArray(Column[]::new));
  }
}
