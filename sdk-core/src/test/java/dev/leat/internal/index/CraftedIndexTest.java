package dev.leat.internal.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leat.DimensionRow;
import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.internal.index.IndexDamageTest.Form;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Files that were made to look right: what is in them was changed, and then all checksums were
 * computed anew. Rows may be wrong then; but nothing is read outside of the files, which would end
 * this process, and what cannot be is told as damage. {@code -Dleat.crafted.files} makes it longer.
 */
class CraftedIndexTest {
  private static final int FILES = Integer.getInteger("leat.crafted.files", 300);
  private static final int[] STRANGE = {0, 1, 2, 0x7f, 0x80, 0xfe, 0xff};

  @TempDir private Path directory;

  @ParameterizedTest
  @EnumSource(Form.class)
  void whatIsReadStaysWithinTheFilesThoughTheChecksumsAreRight(Form form) throws IOException {
    TestTable table = IndexDamageTest.table(form);
    Path home = directory.resolve("index");
    IndexManifest manifest = table.build(home);
    byte[] columns = Files.readAllBytes(home.resolve(IndexColumns.FILE_NAME));
    byte[] shard = Files.readAllBytes(home.resolve(ShardFile.name(0)));
    int bodyBits = bodyBits(columns);
    Random random = new Random(form.ordinal());
    int told = 0;
    for (int i = 0; i < FILES; i++) {
      byte[] newColumns = columns.clone();
      byte[] newShard = shard.clone();
      int footer = shard.length - ShardFile.TRAILER_BYTES - footerBytes(shard);
      switch (i % 3) {
        case 0 -> change(random, newColumns, 8, columns.length - 4);
        case 1 -> change(random, newShard, footer + 12, shard.length - ShardFile.TRAILER_BYTES);
        default -> change(random, newShard, ShardFile.HEADER_BYTES, footer);
      }
      write(home, manifest, newColumns, newShard, bodyBits);
      told += look(home, table, "form " + form + ", file " + i) ? 1 : 0;
    }
    assertThat(told).isGreaterThan(FILES / 10);
    write(home, manifest, columns, shard, bodyBits);
    assertThat(look(home, table, "nothing")).isFalse();
  }

  private static void change(Random random, byte[] bytes, int from, int to) {
    for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
      int at = from + random.nextInt(to - from);
      bytes[at] =
          random.nextBoolean()
              ? (byte) random.nextInt()
              : (byte) STRANGE[random.nextInt(STRANGE.length)];
    }
  }

  private static int bodyBits(byte[] columns) {
    IndexColumns parsed = IndexColumns.parse(columns, "columns");
    return parsed.keys().extraBits() + parsed.layout().bits();
  }

  private static int footerBytes(byte[] shard) {
    return (int) Bits.INT.get(shard, shard.length - ShardFile.TRAILER_BYTES);
  }

  /** Writes the files with checksums that are right. */
  private static void write(
      Path home, IndexManifest manifest, byte[] columns, byte[] shard, int bodyBits)
      throws IOException {
    Bits.INT.set(columns, columns.length - 4, crc(columns, 0, columns.length - 4));
    int columnsCrc = crc(columns, 0, columns.length);
    int footerBytes = footerBytes(shard);
    int trailer = shard.length - ShardFile.TRAILER_BYTES;
    int footer = trailer - footerBytes;
    Bits.INT.set(shard, footer + 4, manifest.shards().get(0).footerCrc32c());
    correctBlocks(shard, footer, footerBytes, bodyBits);
    IndexManifest.Shard columnsFile =
        new IndexManifest.Shard(
            IndexColumns.FILE_NAME,
            columns.length,
            columnsCrc,
            manifest.shards().get(0).footerCrc32c());
    int footerCrc = crc(shard, footer, footerBytes);
    Bits.INT.set(shard, trailer + 4, footerCrc);
    IndexManifest.Shard shardFile =
        new IndexManifest.Shard(
            ShardFile.name(0), shard.length, crc(shard, 0, shard.length), footerCrc);
    IndexManifest changed =
        new IndexManifest(
            IndexManifest.FORMAT_VERSION,
            manifest.columns(),
            manifest.keyColumns(),
            manifest.duplicates(),
            manifest.sourceFingerprint(),
            manifest.rows(),
            manifest.duplicateKeys(),
            manifest.nullKeyRows(),
            manifest.filteredRows(),
            manifest.rejectedRows(),
            manifest.rejectedSamples(),
            manifest.unparsableCells(),
            manifest.unparsableSamples(),
            List.of(columnsFile, shardFile));
    Files.write(home.resolve(IndexColumns.FILE_NAME), columns);
    Files.write(home.resolve(ShardFile.name(0)), shard);
    Files.write(home.resolve(IndexManifest.FILE_NAME), changed.toJson());
  }

  /** Computes the checksums of the blocks and the directory, as far as the footer can be read. */
  private static void correctBlocks(byte[] shard, int footer, int footerBytes, int bodyBits) {
    byte[] bytes = Arrays.copyOfRange(shard, footer, footer + footerBytes);
    ShardFile frame;
    try {
      frame =
          ShardFile.parse(
              Arrays.copyOf(shard, ShardFile.HEADER_BYTES),
              bytes,
              crc(bytes, 0, bytes.length),
              "shard",
              footer,
              bodyBits);
    } catch (LeatException e) {
      // It is refused as it is.
      return;
    }
    List<int[]> crcs = new ArrayList<>();
    int[] directories = new int[frame.segments().size()];
    for (int i = 0; i < directories.length; i++) {
      Segment segment = frame.segments().get(i);
      int[] blocks = frame.blockCrcs().get(i).clone();
      int start = (int) segment.offset();
      directories[i] = crc(shard, start, (int) segment.directoryBytes());
      for (int block = 0; block < blocks.length; block++) {
        long from = blockStart(segment, shard, block);
        long to = blockStart(segment, shard, block + 1);
        if (from >= 0 && from <= to && to <= segment.length()) {
          blocks[block] = crc(shard, start + (int) from, (int) (to - from));
        }
      }
      crcs.add(blocks);
    }
    byte[] corrected =
        new ShardFile(frame.columnsCrc(), frame.ordinal(), frame.segments(), crcs, directories)
            .footer();
    System.arraycopy(corrected, 0, shard, footer, footerBytes);
  }

  private static long blockStart(Segment segment, byte[] shard, int block) {
    return segment.inline()
        ? block * segment.blockLineBytes()
        : (long) Bits.LONG.get(shard, (int) segment.offset() + block * 8);
  }

  private static int crc(byte[] bytes, int from, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, length);
    return (int) crc.getValue();
  }

  /** Looks everything up in each way; gives whether anything was told as damage. */
  private static boolean look(Path home, TestTable table, String what) {
    boolean told = false;
    try (Index index = Index.open(home)) {
      IndexLookup<String, DimensionRow> lookup = index.lookup(String.class, DimensionRow.class);
      IndexLookup<List<Object>, List<@Nullable Object>> shaped = JavaShapes.lookup(index);
      List<String> keys = new ArrayList<>();
      for (Object[] row : table.rows) {
        keys.add((String) row[0]);
        keys.add(row[0] + "x");
      }
      String[] batch = keys.toArray(String[]::new);
      told |=
          told(what, () -> lookup.findBatch(batch, new DimensionRow[batch.length], batch.length));
      for (String key : keys) {
        told |= told(what, () -> lookup.find(key));
        told |= told(what, () -> lookup.findAll(key, row -> {}));
        told |= told(what, () -> shaped.find(List.of(key)));
      }
    } catch (LeatException e) {
      assertThat(e.errorCode())
          .as("%s: %s", what, e)
          .isIn(ErrorCode.INDEX_DAMAGED, ErrorCode.INDEX_FORMAT_UNSUPPORTED);
      told = true;
    }
    return told;
  }

  private static boolean told(String what, Runnable call) {
    try {
      call.run();
      return false;
    } catch (LeatException e) {
      assertThat(e.errorCode()).as("%s: %s", what, e).isEqualTo(ErrorCode.INDEX_DAMAGED);
      return true;
    } catch (DateTimeException e) {
      // A number that is no day.
      return true;
    }
  }
}
