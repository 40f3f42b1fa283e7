package dev.leat.internal.text;

import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import dev.leat.spi.FileSplit;
import dev.leat.spi.RowSink;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Pattern;

/**
 * How fast text is parsed by one thread into a sink that keeps nothing, beside what one would write
 * by hand: {@code BufferedReader} and {@code split}. Not a test: run {@link #main}, which prints
 * the best of several rounds.
 */
final class ParseSpeed {
  private static final int ROWS = 2_000_000;
  private static final int ROUNDS = 6;

  private ParseSpeed() {}

  public static void main(String... args) throws IOException {
    List<Column> customer =
        List.of(
            new Column("customer_id", ColumnType.STRING),
            new Column("subscription_tier", ColumnType.STRING),
            new Column("country_code", ColumnType.STRING),
            new Column("account_status", ColumnType.STRING));
    byte[] text = customers();
    report("customer, 4 of 4 columns as text", text, customer, customer);
    report("customer, 1 of 4 columns", text, customer, customer.subList(0, 1));
    List<Column> wide =
        List.of(
            new Column("c0", ColumnType.BIGINT),
            new Column("c1", ColumnType.decimal(10, 2)),
            new Column("c2", ColumnType.DOUBLE),
            new Column("c3", ColumnType.DATE),
            new Column("c4", ColumnType.TIMESTAMP),
            new Column("c5", ColumnType.STRING),
            new Column("c6", ColumnType.INT),
            new Column("c7", ColumnType.STRING));
    byte[] wideText = wide();
    report("typed, 8 of 8 columns", wideText, wide, wide);
    report("typed, 2 of 8 columns", wideText, wide, wide.subList(0, 2));
  }

  private static void report(String what, byte[] text, List<Column> file, List<Column> columns)
      throws IOException {
    double ours = 0;
    double byHand = 0;
    for (int round = 0; round < ROUNDS; round++) {
      ours = Math.max(ours, megabytesPerSecond(text.length, () -> parse(text, file, columns)));
      byHand = Math.max(byHand, megabytesPerSecond(text.length, () -> splitByHand(text)));
    }
    System.out.printf(
        Locale.ROOT,
        "%-40s %6.0f MB per CPU second, by hand %4.0f, ratio %.1f%n",
        what,
        ours,
        byHand,
        ours / byHand);
  }

  private interface Work {
    long run() throws IOException;
  }

  private static double megabytesPerSecond(int bytes, Work work) throws IOException {
    // CPU time, so that other work on the machine does not count.
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long start = threads.getCurrentThreadCpuTime();
    if (work.run() == 0) {
      throw new IllegalStateException("nothing was parsed");
    }
    return bytes / 1e6 / ((threads.getCurrentThreadCpuTime() - start) / 1e9);
  }

  private static long parse(byte[] text, List<Column> file, List<Column> columns)
      throws IOException {
    TextLayout layout =
        new TextLayout(
            (byte) '|', Optional.empty(), "\\N", StandardCharsets.UTF_8, 0, 0, Strictness.LENIENT);
    DelimitedTextReader reader =
        new DelimitedTextReader(
            columns, Optional.of(file.stream().map(Column::name).toList()), layout);
    BytesFile source = new BytesFile("speed.txt", text);
    Checksum sink = new Checksum();
    reader.read(new FileSplit(source.blob, 0, text.length), source, sink);
    return sink.sum;
  }

  private static long splitByHand(byte[] text) throws IOException {
    Pattern delimiter = Pattern.compile("|", Pattern.LITERAL);
    long sum = 0;
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(new ByteArrayInputStream(text), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        for (String cell : delimiter.split(line, -1)) {
          sum += cell.length();
        }
      }
    }
    return sum;
  }

  private static byte[] customers() {
    Random random = new Random(1);
    String[] tiers = {"free", "basic", "standard", "premium", "family"};
    String[] statuses = {"active", "suspended", "cancelled", "trial"};
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < ROWS; i++) {
      text.append(String.format(Locale.ROOT, "cust-%08d", i))
          .append('|')
          .append(tiers[random.nextInt(tiers.length)])
          .append('|');
      text.append((char) ('A' + random.nextInt(26)))
          .append((char) ('A' + random.nextInt(26)))
          .append('|')
          .append(statuses[random.nextInt(statuses.length)])
          .append('\n');
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] wide() {
    Random random = new Random(2);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < ROWS / 4; i++) {
      text.append(random.nextLong() >>> 20)
          .append('|')
          .append(random.nextInt(1_000_000))
          .append('.')
          .append(10 + random.nextInt(90))
          .append('|');
      text.append(random.nextInt(100_000) / 1000.0)
          .append("|2024-0")
          .append(1 + random.nextInt(9))
          .append("-17|2024-05-06 12:30:")
          .append(10 + random.nextInt(49))
          .append('|');
      text.append("some words of text ")
          .append(i)
          .append('|')
          .append(random.nextInt(1000))
          .append("|N/A\n");
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static final class Checksum implements RowSink {
    private long sum;

    @Override
    public void beginRow(long offset) {
      sum += offset;
    }

    @Override
    public void setLong(int column, long value) {
      sum += value;
    }

    @Override
    public void setDouble(int column, double value) {
      sum += (long) value;
    }

    @Override
    public void setBytes(int column, byte[] bytes, int offset, int length) {
      sum += length + (length > 0 ? bytes[offset] : 0);
    }

    @Override
    public void setDecimal(int column, byte[] unscaled, int offset, int length) {
      sum += Arrays.hashCode(unscaled) + length;
    }

    @Override
    public void setTimestamp(int column, long epochSecond, int nano) {
      sum += epochSecond + nano;
    }

    @Override
    public void unparsable(int column, byte[] raw, int offset, int length) {
      throw new IllegalStateException(
          "column " + column + " of the generated text is not readable");
    }

    @Override
    public void endRow() {
      sum++;
    }

    @Override
    public void reject(long line, int column, String reason) {
      throw new IllegalStateException(reason);
    }
  }
}
