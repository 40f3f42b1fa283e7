package dev.leat.internal.text;

import dev.leat.spi.FormatOption;

/** The options that all formats have whose rows are lines of cells. */
final class LineOptions {
  static final FormatOption CHARSET =
      FormatOption.of("charset", "The character set of the files, a superset of ASCII.", "UTF-8");

  static final FormatOption HEADER =
      FormatOption.of(
          "header",
          "Whether the first line of each file names its columns, which then may stand in any order.",
          "false");

  static final FormatOption SKIP_HEADER_LINES =
      FormatOption.of(
          "skip-header-lines", "How many lines at the beginning of each file are left out.", "0");

  static final FormatOption SKIP_FOOTER_LINES =
      FormatOption.of(
          "skip-footer-lines", "How many lines at the end of each file are left out.", "0");

  private LineOptions() {}
}
