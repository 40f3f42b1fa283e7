package dev.leat.spi;

import java.util.List;

/**
 * Makes a {@link RowFormat} of options, for those who write options instead of Java: SQL and
 * catalogs. Found by {@link java.util.ServiceLoader}; needs a public constructor without
 * parameters.
 */
public interface RowFormatFactory {

  /** The name of the format in options, e.g. {@code text}: lower-case letters, digits, hyphens. */
  String identifier();

  /** The options that the format has; no others are accepted. */
  List<FormatOption> options();

  /**
   * Makes the format. Options that contradict each other throw {@link dev.leat.LeatException}
   * {@code INVALID_DEFINITION} or {@link IllegalArgumentException}.
   *
   * @param options checked against {@link #options()}
   */
  RowFormat create(FormatOptions options);
}
