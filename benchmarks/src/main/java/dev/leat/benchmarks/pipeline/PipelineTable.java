package dev.leat.benchmarks.pipeline;

import static java.util.Objects.requireNonNull;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * The reference table as the jobs of this process see it: its text for Leat, a {@code HashMap} of
 * it, and the keys of the events. One at a time is open, since a job's functions can find it by
 * nothing but a static field.
 */
final class PipelineTable implements AutoCloseable {
  private static final int MOST_KEYS = 1 << 21;
  private static final int KEY_BYTES = 13;
  private static volatile @Nullable PipelineTable open;

  private final int rows;
  private final byte[] keys;
  private final int keyMask;
  private final Map<String, Customer> map;

  /** A row, without its key: an event has that already. */
  public record Customer(String subscriptionTier, String countryCode, String accountStatus)
      implements Serializable {}

  private PipelineTable(int rows) {
    this.rows = rows;
    int count = Math.min(MOST_KEYS, Integer.highestOneBit(Math.max(2, rows)) * 2);
    this.keyMask = count - 1;
    this.keys = new byte[count * KEY_BYTES];
    Random random = new Random(7);
    for (int i = 0; i < count; i++) {
      byte[] key = key(random.nextInt(rows)).getBytes(StandardCharsets.ISO_8859_1);
      System.arraycopy(key, 0, keys, i * KEY_BYTES, KEY_BYTES);
    }
    // Values interned, the kinder variant for the map.
    Map<Customer, Customer> interned = new HashMap<>();
    this.map = new HashMap<>(rows * 2);
    for (int i = 0; i < rows; i++) {
      map.put(key(i), interned.computeIfAbsent(row(i), row -> row));
    }
  }

  static PipelineTable open(int rows) {
    PipelineTable table = new PipelineTable(rows);
    open = table;
    return table;
  }

  /** The one that is open. */
  static PipelineTable current() {
    return requireNonNull(open, "no table is open");
  }

  int rows() {
    return rows;
  }

  /** How many keys the events choose from. */
  int keys() {
    return keyMask + 1;
  }

  /** One of the keys, a String of its own as a deserialiser makes it. */
  String eventKey(int position) {
    return new String(
        keys, (position & keyMask) * KEY_BYTES, KEY_BYTES, StandardCharsets.ISO_8859_1);
  }

  /** The bytes of one of the keys. */
  byte[] eventKeyBytes(int position) {
    byte[] key = new byte[KEY_BYTES];
    System.arraycopy(keys, (position & keyMask) * KEY_BYTES, key, 0, KEY_BYTES);
    return key;
  }

  Map<String, Customer> map() {
    return map;
  }

  static String key(int row) {
    return String.format(Locale.ROOT, "cust-%08d", row);
  }

  static Customer row(int row) {
    int mixed = (row * 0x9E3779B9) >>> 8;
    return new Customer(
        "tier-" + mixed % 5,
        String.format(Locale.ROOT, "C%03d", mixed / 5 % 200),
        "status-" + mixed / 1000 % 4);
  }

  void write(Path file) throws IOException {
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
      for (int i = 0; i < rows; i++) {
        Customer row = row(i);
        String line =
            String.join(
                "|", key(i), row.subscriptionTier, row.countryCode, row.accountStatus + "\n");
        out.write(line.getBytes(StandardCharsets.UTF_8));
      }
    }
  }

  @Override
  public void close() {
    open = null;
  }
}
