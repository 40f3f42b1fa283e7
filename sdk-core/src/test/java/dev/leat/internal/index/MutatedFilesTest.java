package dev.leat.internal.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leat.DimensionRow;
import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.internal.index.IndexDamageTest.Form;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files of an index that were changed in every way: bits flipped, ends cut, pieces spliced in,
 * numbers made huge, names made to lead elsewhere. What reads them gives the right rows or an error
 * with a code, and allocates no more than a multiple of what there is to read. {@code
 * -Dleat.mutated.files} makes it longer.
 */
class MutatedFilesTest {
  private static final int FILES = Integer.getInteger("leat.mutated.files", 10_000);

  /** What opening and looking up may allocate beside a multiple of the files. */
  private static final long ALLOWED_BYTES = 8L << 20;

  private static final long ALLOWED_TIMES = 64;

  private static final List<String> STRANGE_TEXTS =
      List.of(
          "../x",
          "../../../../etc/passwd",
          "/etc/passwd",
          "C:\\\\x",
          "a/b.leat",
          "shard-0000.leat/../x.leat",
          "shard-0000.leat\\u0000.leat",
          "%2e%2e%2fx.leat",
          "",
          ".",
          "..",
          "-1",
          "2147483648",
          "9223372036854775807",
          "99999999999999999999999999",
          "1e999999999",
          "array<array<array<array<int>>>>",
          "struct<a:int",
          "null",
          "{}",
          "[[[[[[[[[[[[[[[[[[",
          "\\ud800");

  private static final long[] STRANGE_NUMBERS = {
    -1, 0, 1, 0x7fff_ffffL, 0x8000_0000L, 0xffff_ffffL, Long.MAX_VALUE, Long.MIN_VALUE
  };

  private static final com.sun.management.ThreadMXBean THREADS =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

  @TempDir private Path directory;

  /** What came of the mutated files. */
  private static final class Tally {
    private int right;
    private int refused;
    private long mostAllocated;

    @Override
    public String toString() {
      return right + " right, " + refused + " refused, at most " + mostAllocated + " B allocated";
    }
  }

  @Test
  void mutatedFilesGiveTheRightRowsOrAnErrorWithACodeWithinBounds() throws IOException {
    Map<Form, TestTable> tables = new TreeMap<>();
    Map<Form, Map<String, byte[]>> indexes = new TreeMap<>();
    for (Form form : Form.values()) {
      TestTable table = IndexDamageTest.table(form);
      Path home = directory.resolve("good-" + form);
      table.build(home);
      tables.put(form, table);
      indexes.put(form, read(home));
    }
    Path home = Files.createDirectory(directory.resolve("index"));
    Tally tally = new Tally();
    for (int seed = 0; seed < FILES; seed++) {
      Random random = new Random(seed);
      Form form = Form.values()[seed % Form.values().length];
      Map<String, byte[]> files = new TreeMap<>(indexes.get(form));
      List<String> names = List.copyOf(files.keySet());
      String name = names.get(random.nextInt(names.size()));
      boolean sealed = false;
      byte[] changed;
      if (name.equals(IndexManifest.FILE_NAME) && random.nextInt(4) > 0) {
        changed = seal(mutatedText(random, files.get(name)));
        sealed = true;
      } else {
        changed =
            mutatedBytes(
                random, files.get(name), files.get(names.get(random.nextInt(names.size()))));
      }
      write(home, names, files, name, changed);
      look(home, tables.get(form), sealed, "seed " + seed + ", " + form + ", " + name, tally);
    }
    System.out.println("Of " + FILES + " mutated indexes: " + tally);
    assertThat(tally.refused).isGreaterThan(FILES / 2);
    assertThat(escaped()).as("files outside of the index").isEmpty();
  }

  private static Map<String, byte[]> read(Path home) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    try (Stream<Path> all = Files.list(home)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        files.put(String.valueOf(file.getFileName()), Files.readAllBytes(file));
      }
    }
    return files;
  }

  private static void write(
      Path home, List<String> names, Map<String, byte[]> files, String name, byte[] changed)
      throws IOException {
    try (Stream<Path> old = Files.list(home)) {
      for (Path file : old.toList()) {
        Files.delete(file);
      }
    }
    for (String each : names) {
      Files.write(home.resolve(each), each.equals(name) ? changed : files.get(each));
    }
  }

  private List<String> escaped() throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.map(path -> String.valueOf(path.getFileName()))
          .filter(name -> !name.equals("index") && !name.startsWith("good-"))
          .toList();
    }
  }

  private static byte[] mutatedBytes(Random random, byte[] bytes, byte[] other) {
    byte[] changed = bytes.clone();
    switch (random.nextInt(6)) {
      case 0 -> changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(8));
      case 1 -> changed = Arrays.copyOf(changed, random.nextInt(changed.length));
      case 2 -> {
        long number = STRANGE_NUMBERS[random.nextInt(STRANGE_NUMBERS.length)];
        int at = random.nextInt(Math.max(1, changed.length - 8));
        for (int i = 0; i < (random.nextBoolean() ? 4 : 8) && at + i < changed.length; i++) {
          changed[at + i] = (byte) (number >>> (8 * i));
        }
      }
      case 3 -> {
        int from = random.nextInt(other.length);
        int length = Math.min(1 + random.nextInt(64), other.length - from);
        int at = random.nextInt(changed.length);
        System.arraycopy(other, from, changed, at, Math.min(length, changed.length - at));
      }
      case 4 -> {
        byte[] longer = Arrays.copyOf(changed, changed.length + 1 + random.nextInt(5000));
        System.arraycopy(
            changed,
            changed.length - Math.min(16, changed.length),
            longer,
            longer.length - Math.min(16, changed.length),
            Math.min(16, changed.length));
        changed = longer;
      }
      default -> {
        for (int i = 0; i < 20; i++) {
          changed[random.nextInt(changed.length)] = (byte) random.nextInt();
        }
      }
    }
    return changed;
  }

  /** Changes what a manifest says, in front of its checksum. */
  private static String mutatedText(Random random, byte[] manifest) {
    String text = new String(manifest, StandardCharsets.UTF_8);
    text = text.substring(0, text.lastIndexOf(",\"crc32c\":"));
    String strange = STRANGE_TEXTS.get(random.nextInt(STRANGE_TEXTS.size()));
    return switch (random.nextInt(9)) {
      case 0 -> replaceSome(random, text, "\"[^\"]*\"", '"' + strange + '"');
      case 1 ->
          replaceSome(
              random,
              text,
              "-?\\d+",
              String.valueOf(STRANGE_NUMBERS[random.nextInt(STRANGE_NUMBERS.length)]));
      case 2 -> replaceSome(random, text, "-?\\d+", "9".repeat(1 + random.nextInt(2000)));
      case 3 -> replaceSome(random, text, "[\\[{]", "[".repeat(1 + random.nextInt(5000)));
      case 4 ->
          replaceSome(random, text, "\"[^\"]*\"", '"' + "x".repeat(random.nextInt(200_000)) + '"');
      case 5 -> replaceSome(random, text, "\"shard-0000.leat\"", '"' + strange + '"');
      case 6 -> text.substring(0, random.nextInt(text.length()));
      case 7 -> replaceSome(random, text, "\\d", strange);
      default ->
          replaceSome(
              random,
              text,
              "\"kind\":\"[A-Z]*\"",
              "\"kind\":\"ARRAY\",\"precision\":0,\"scale\":0,\"type\":\""
                  + "array<".repeat(random.nextInt(20_000))
                  + "\"},{\"name\":\"y\",\"kind\":\"INT\"");
    };
  }

  private static String replaceSome(Random random, String text, String pattern, String by) {
    int count = (int) java.util.regex.Pattern.compile(pattern).matcher(text).results().count();
    if (count == 0) {
      return text;
    }
    int which = random.nextInt(count);
    int[] next = {0};
    return java.util.regex.Pattern.compile(pattern)
        .matcher(text)
        .replaceAll(
            found ->
                java.util.regex.Matcher.quoteReplacement(next[0]++ == which ? by : found.group()));
  }

  /** With the checksum that belongs to it, as who can write to the index root can do it. */
  private static byte[] seal(String text) {
    byte[] content = text.getBytes(StandardCharsets.UTF_8);
    CRC32C crc = new CRC32C();
    crc.update(content);
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    whole.writeBytes(content);
    whole.writeBytes(
        String.format(",\"crc32c\":\"%08x\"}", (int) crc.getValue())
            .getBytes(StandardCharsets.US_ASCII));
    return whole.toByteArray();
  }

  private static void look(Path home, TestTable table, boolean sealed, String what, Tally tally)
      throws IOException {
    long bytes = 0;
    for (byte[] content : read(home).values()) {
      bytes += content.length;
    }
    long before = THREADS.getCurrentThreadAllocatedBytes();
    try (Index index = Index.open(home)) {
      IndexLookup<String, DimensionRow> lookup = index.lookup(String.class, DimensionRow.class);
      for (Object[] row : table.rows) {
        List<Object> found = new ArrayList<>();
        lookup.findAll((String) row[0], each -> found.add(each));
        if (!sealed) {
          assertThat(found).as("%s: rows of %s", what, row[0]).isNotEmpty();
        }
      }
      tally.right++;
    } catch (LeatException e) {
      // A manifest that was made to say other columns has other types, too.
      List<ErrorCode> codes =
          sealed
              ? List.of(
                  ErrorCode.INDEX_DAMAGED,
                  ErrorCode.INDEX_FORMAT_UNSUPPORTED,
                  ErrorCode.TYPE_MISMATCH)
              : List.of(ErrorCode.INDEX_DAMAGED, ErrorCode.INDEX_FORMAT_UNSUPPORTED);
      assertThat(e.errorCode()).as("%s: %s", what, e).isIn(codes);
      assertThat(String.valueOf(e.getMessage()).length()).as("%s: %s", what, e).isLessThan(2000);
      tally.refused++;
    } catch (RuntimeException | StackOverflowError e) {
      throw new AssertionError(what + " ends in an error without a code", e);
    }
    long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
    assertThat(allocated)
        .as("%s: bytes allocated to read %d", what, bytes)
        .isLessThan(ALLOWED_BYTES + ALLOWED_TIMES * bytes);
    tally.mostAllocated = Math.max(tally.mostAllocated, allocated);
  }
}
