package dev.leat.internal.text;

import dev.leat.format.Column;
import dev.leat.format.Json;
import dev.leat.spi.FormatOption;
import dev.leat.spi.FormatOptions;
import dev.leat.spi.RowFormat;
import dev.leat.spi.RowFormatFactory;
import java.util.List;

/** Makes {@link Json} of options. */
public final class JsonLinesFactory implements RowFormatFactory {
  private static final String STRICT = "strict";

  /** For the service loader. */
  public JsonLinesFactory() {}

  @Override
  public String identifier() {
    return "json";
  }

  @Override
  public List<FormatOption> options() {
    return List.of(
        FormatOption.of(
            STRICT,
            "Whether a row with a value that does not fit its column is malformed; otherwise it is what Hive makes of it.",
            "false"));
  }

  @Override
  public RowFormat create(FormatOptions options) {
    Json json = Json.lines().columns(options.columns().toArray(Column[]::new));
    return options.flag(STRICT) ? json.strict() : json;
  }
}
