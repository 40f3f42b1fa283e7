package dev.leat.benchmarks;

import dev.leat.format.Column;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A table of which every cell is a pure function of the row's number, and the forms in which stores
 * want its keys.
 *
 * <p>A key is made from a number, its id. Of each two neighbouring ids one is taken, so that a key
 * that is absent looks like one that is present.
 *
 * @param <K> the key, as a user has it
 * @param <D> the row, as a user wants it
 */
abstract class Dataset<K, D> {
  private static final long MOST_ROWS = 500_000_000;

  private final long rows;

  Dataset(long rows) {
    if (rows < 1 || rows > MOST_ROWS) {
      throw new IllegalArgumentException(
          rows + " rows cannot be made; give 1 to " + MOST_ROWS + " with --rows");
    }
    this.rows = rows;
  }

  final long rows() {
    return rows;
  }

  /** The columns of the text, in order. */
  abstract List<Column> columns();

  /** Which of them are the key, in its order. */
  abstract List<Integer> keyColumns();

  abstract Class<K> keyType();

  abstract Class<D> rowType();

  /** The key of an id, as a new object. */
  abstract K key(long id);

  /** The values of the key's columns. */
  abstract Object[] keyCells(K key);

  /** The key as stores of bytes take it. */
  abstract byte[] keyBytes(K key);

  /** The bytes of a key in an array of many. */
  abstract int packedBytes();

  /** Puts a key into an array of many. */
  abstract void pack(byte[] target, int at, long id);

  /** Makes a key from an array of many: a new object, as a deserialiser makes it. */
  abstract K unpack(byte[] source, int at);

  /** The cell of a row: String, Integer, Long, LocalDate, BigDecimal or null. */
  abstract @Nullable Object cell(long row, int column);

  /** The user's row, from what a store has found. */
  abstract D row(K key, Cells cells);

  /** A number that depends on all that a lookup gives, so that nothing of it can be left out. */
  abstract int used(D row);

  /** Writes a row and a line feed. */
  abstract int putLine(byte[] line, int at, long row);

  /** Numbers of rows in the order in which a stream asks for them. */
  LongSupplier stream(Random random) {
    return () -> (long) (random.nextDouble() * rows);
  }

  /** The user's row, made without a store. */
  final D row(long row) {
    return row(key(id(row)), new GeneratedCells(this, row));
  }

  static long id(long row) {
    return 2 * row + (mixed(row) & 1);
  }

  static long absentId(long row) {
    return 2 * row + (~mixed(row) & 1);
  }

  static long rowOf(long id) {
    return id >>> 1;
  }

  /** 44 bits that look random. */
  static long mixed(long number) {
    long x = number * 0x9e3779b97f4a7c15L;
    x ^= x >>> 32;
    return (x * 0xd6e8feb86659fd93L) >>> 20;
  }

  /** The columns that are no key columns. */
  final List<Integer> valueColumns() {
    List<Integer> others = new ArrayList<>();
    for (int i = 0; i < columns().size(); i++) {
      if (!keyColumns().contains(i)) {
        others.add(i);
      }
    }
    return others;
  }

  /** Writes the table as text in files of about equal size, and gives its bytes. */
  final long write(Path directory, int files) throws IOException {
    Files.createDirectories(directory);
    long bytes = 0;
    byte[] line = new byte[1024];
    for (int file = 0; file < files; file++) {
      Path path = directory.resolve(String.format(Locale.ROOT, "part-%04d.txt", file));
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(path), 1 << 20)) {
        for (long row = rows * file / files; row < rows * (file + 1) / files; row++) {
          int length = putLine(line, 0, row);
          out.write(line, 0, length);
          bytes += length;
        }
      }
    }
    return bytes;
  }

  @SuppressWarnings("deprecation") // Right for ASCII, which all texts here are, and copies at once.
  static int put(byte[] line, int at, String ascii) {
    ascii.getBytes(0, ascii.length(), line, at);
    return at + ascii.length();
  }

  /** Puts a number with leading zeros. */
  static void putDigits(byte[] target, int at, int digits, long number) {
    long left = number;
    for (int i = at + digits - 1; i >= at; i--) {
      target[i] = (byte) ('0' + left % 10);
      left /= 10;
    }
  }
}
