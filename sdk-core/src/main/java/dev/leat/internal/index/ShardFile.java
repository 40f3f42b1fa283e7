package dev.leat.internal.index;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The frame of the file of a shard: a header, the segments, and a footer with their shapes and all
 * checksums. The last 16 bytes say where the footer begins.
 *
 * @param columnsCrc the checksum of the file of columns that the shard belongs to
 * @param ordinal the number of the shard
 * @param segments the segments in the order of their hashes
 * @param blockCrcs the checksums of the blocks of each segment
 * @param directoryCrcs the checksum of each segment's directory
 */
record ShardFile(
    int columnsCrc,
    int ordinal,
    List<Segment> segments,
    List<int[]> blockCrcs,
    int[] directoryCrcs) {
  static final int HEADER_BYTES = 64;
  static final int TRAILER_BYTES = 16;

  /** Segments begin at multiples of it, so that a block of 4 KiB is a page. */
  static final int ALIGNMENT = 4096;

  private static final byte[] MAGIC = {'L', 'E', 'A', 'T', 'r', 'o', 'w', 's'};

  /** The name of the file of a shard. */
  static String name(int ordinal) {
    return String.format(java.util.Locale.ROOT, "shard-%04d.leat", ordinal);
  }

  static byte[] header(int ordinal) {
    byte[] header =
        new ByteWriter().raw(MAGIC).i32(IndexColumns.FORMAT_VERSION).i32(ordinal).toBytes();
    return Arrays.copyOf(header, HEADER_BYTES);
  }

  /** The footer and the trailer. */
  byte[] footer() {
    ByteWriter out = new ByteWriter();
    out.i32(IndexColumns.FORMAT_VERSION).i32(columnsCrc).i32(ordinal).i32(segments.size());
    for (int i = 0; i < segments.size(); i++) {
      segments.get(i).writeTo(out);
      out.i32(directoryCrcs[i]);
      for (int crc : blockCrcs.get(i)) {
        out.i32(crc);
      }
    }
    CRC32C crc = new CRC32C();
    crc.update(out.toBytes());
    int length = out.length();
    return out.i32(length).i32((int) crc.getValue()).raw(MAGIC).toBytes();
  }

  /** The bytes of the footer, without the trailer, as the trailer says. */
  static int footerBytes(byte[] trailer, String name, long fileBytes) {
    ByteReader in = new ByteReader(trailer, name);
    int length = in.i32();
    in.i32();
    if (!Arrays.equals(in.raw(MAGIC.length), MAGIC)
        || length < 0
        || length > fileBytes - HEADER_BYTES - TRAILER_BYTES) {
      throw in.damaged("does not end as one");
    }
    return length;
  }

  /** The checksum of the footer, as the trailer says. */
  static int footerCrc(byte[] trailer, String name) {
    ByteReader in = new ByteReader(trailer, name);
    in.i32();
    return in.i32();
  }

  /**
   * Reads a footer.
   *
   * @param footer its bytes
   * @param bodyBits the bits of the body of a row, as the columns say
   */
  static ShardFile parse(
      byte[] header, byte[] footer, int expectedCrc, String name, long fileBytes, int bodyBits) {
    ByteReader in = new ByteReader(footer, name);
    CRC32C crc = new CRC32C();
    crc.update(footer);
    if ((int) crc.getValue() != expectedCrc) {
      throw in.damaged("has a wrong checksum in its footer");
    }
    int version = in.i32();
    if (version != IndexColumns.FORMAT_VERSION) {
      throw in.damaged(
          "has the format version "
              + version
              + " although its index has "
              + IndexColumns.FORMAT_VERSION);
    }
    int columnsCrc = in.i32();
    int ordinal = in.i32();
    if (!Arrays.equals(header, header(ordinal))) {
      throw in.damaged("does not begin as one");
    }
    int count = in.count(in.left());
    List<Segment> segments = new ArrayList<>();
    List<int[]> blockCrcs = new ArrayList<>();
    int[] directoryCrcs = new int[count];
    for (int i = 0; i < count; i++) {
      Segment segment = Segment.readFrom(in, fileBytes, bodyBits);
      segments.add(segment);
      directoryCrcs[i] = in.i32();
      if (segment.blocks() > in.left() / 4) {
        throw in.damaged("ends too early");
      }
      int[] crcs = new int[segment.blocks()];
      for (int block = 0; block < crcs.length; block++) {
        crcs[block] = in.i32();
      }
      blockCrcs.add(crcs);
    }
    if (in.left() != 0) {
      throw in.damaged("has a footer that is longer than its content");
    }
    return new ShardFile(columnsCrc, ordinal, segments, blockCrcs, directoryCrcs);
  }
}
