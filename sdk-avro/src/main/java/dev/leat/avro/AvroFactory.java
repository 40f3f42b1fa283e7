package dev.leat.avro;

import dev.leat.format.Column;
import dev.leat.spi.FormatOption;
import dev.leat.spi.FormatOptions;
import dev.leat.spi.RowFormat;
import dev.leat.spi.RowFormatFactory;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.List;

/** Makes {@link Avro} of options. */
public final class AvroFactory implements RowFormatFactory {
  private static final String ZONE = "time-zone";

  /** For the service loader. */
  public AvroFactory() {}

  @Override
  public String identifier() {
    return "avro";
  }

  @Override
  public List<FormatOption> options() {
    return List.of(
        FormatOption.of(
            ZONE, "The time zone in which timestamps, which are instants, are shown.", "UTC"));
  }

  @Override
  public RowFormat create(FormatOptions options) {
    String zone = options.text(ZONE).orElse("UTC");
    try {
      return Avro.format()
          .columns(options.columns().toArray(Column[]::new))
          .timeZone(ZoneId.of(zone));
    } catch (DateTimeException e) {
      throw options.invalid(ZONE, zone, "a time zone, e.g. UTC or Europe/Berlin");
    }
  }
}
