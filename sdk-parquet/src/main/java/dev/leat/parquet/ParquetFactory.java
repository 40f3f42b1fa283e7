package dev.leat.parquet;

import dev.leat.format.Column;
import dev.leat.spi.FormatOption;
import dev.leat.spi.FormatOptions;
import dev.leat.spi.RowFormat;
import dev.leat.spi.RowFormatFactory;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.List;

/** Makes {@link Parquet} of options. */
public final class ParquetFactory implements RowFormatFactory {
  private static final String ZONE = "time-zone";

  /** For the service loader. */
  public ParquetFactory() {}

  @Override
  public String identifier() {
    return "parquet";
  }

  @Override
  public List<FormatOption> options() {
    return List.of(
        FormatOption.of(
            ZONE,
            "The time zone in which timestamps that are instants (INT96, INT64 adjusted to UTC) are shown.",
            "UTC"));
  }

  @Override
  public RowFormat create(FormatOptions options) {
    String zone = options.text(ZONE).orElse("UTC");
    try {
      return Parquet.format()
          .columns(options.columns().toArray(Column[]::new))
          .timeZone(ZoneId.of(zone));
    } catch (DateTimeException e) {
      throw options.invalid(ZONE, zone, "a time zone, e.g. UTC or Europe/Berlin");
    }
  }
}
