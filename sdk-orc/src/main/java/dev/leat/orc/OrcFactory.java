package dev.leat.orc;

import dev.leat.format.Column;
import dev.leat.spi.FormatOption;
import dev.leat.spi.FormatOptions;
import dev.leat.spi.RowFormat;
import dev.leat.spi.RowFormatFactory;
import java.util.List;

/** Makes {@link Orc} of options, of which there are none. */
public final class OrcFactory implements RowFormatFactory {

  /** For the service loader. */
  public OrcFactory() {}

  @Override
  public String identifier() {
    return "orc";
  }

  @Override
  public List<FormatOption> options() {
    return List.of();
  }

  @Override
  public RowFormat create(FormatOptions options) {
    return Orc.format().columns(options.columns().toArray(Column[]::new));
  }
}
