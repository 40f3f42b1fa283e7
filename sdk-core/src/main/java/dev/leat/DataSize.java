package dev.leat;

import static java.util.Objects.requireNonNull;

import java.io.Serializable;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An amount of memory or disk.
 *
 * @param bytes the number of bytes, not negative
 */
public record DataSize(long bytes) implements Serializable, Comparable<DataSize> {
  private static final Pattern TEXT =
      Pattern.compile("\\s*(\\d+)\\s*(b|kb|mb|gb|tb)?\\s*", Pattern.CASE_INSENSITIVE);

  /** Checks that the size is not negative. */
  public DataSize {
    if (bytes < 0) {
      throw new IllegalArgumentException("a size of " + bytes + " bytes is negative");
    }
  }

  /** A size in bytes. */
  public static DataSize ofBytes(long bytes) {
    return new DataSize(bytes);
  }

  /** A size in units of 2<sup>20</sup> bytes. */
  public static DataSize ofMebibytes(long mebibytes) {
    return new DataSize(Math.multiplyExact(mebibytes, 1L << 20));
  }

  /** A size in units of 2<sup>30</sup> bytes. */
  public static DataSize ofGibibytes(long gibibytes) {
    return new DataSize(Math.multiplyExact(gibibytes, 1L << 30));
  }

  /**
   * Reads a size as Flink writes it: a number and one of {@code b, kb, mb, gb, tb}, each 1024 of
   * the one before.
   */
  public static DataSize parse(String text) {
    Matcher matcher = TEXT.matcher(requireNonNull(text, "text"));
    if (!matcher.matches()) {
      throw new IllegalArgumentException("'" + text + "' is not a size; write e.g. 512mb or 10gb");
    }
    String unit = matcher.group(2) == null ? "b" : matcher.group(2).toLowerCase(Locale.ROOT);
    int shift =
        switch (unit) {
          case "kb" -> 10;
          case "mb" -> 20;
          case "gb" -> 30;
          case "tb" -> 40;
          default -> 0;
        };
    return new DataSize(Math.multiplyExact(Long.parseLong(matcher.group(1)), 1L << shift));
  }

  @Override
  public int compareTo(DataSize other) {
    return Long.compare(bytes, other.bytes);
  }

  /** The size in the largest unit of which there is at least one, e.g. {@code 1.5 GiB}. */
  @Override
  public String toString() {
    String[] units = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    int unit = bytes == 0 ? 0 : (63 - Long.numberOfLeadingZeros(bytes)) / 10;
    return unit == 0
        ? bytes + " B"
        : String.format(Locale.ROOT, "%.1f %s", bytes / (double) (1L << (10 * unit)), units[unit]);
  }
}
