package dev.leat.internal.index;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * What all shards of an index share: how keys are encoded, how rows stand, and the dictionaries.
 * The content of the file {@code columns.leat}.
 *
 * @param segmentBits how many of the highest bits of the hash say the segment
 * @param shardBits how many of the highest bits of the hash say the shard
 * @param dictionaries the values of each column that is held as a code, in the order of the codes;
 *     empty for the others
 */
record IndexColumns(
    KeyCodec keys, RowLayout layout, int segmentBits, int shardBits, byte[][][] dictionaries) {
  static final String FILE_NAME = "columns.leat";

  /** The version of the format of all files of an index. */
  static final int FORMAT_VERSION = 1;

  private static final byte[] MAGIC = {'L', 'E', 'A', 'T', 'c', 'o', 'l', 's'};
  private static final int MAX_SEGMENT_BITS = 20;

  byte[] toBytes() {
    ByteWriter out = new ByteWriter();
    out.raw(MAGIC).i32(FORMAT_VERSION).u8(segmentBits).u8(shardBits);
    keys.writeTo(out);
    layout.writeTo(out);
    for (byte[][] dictionary : dictionaries) {
      out.i32(dictionary.length);
      for (byte[] value : dictionary) {
        out.i32(value.length).raw(value);
      }
    }
    CRC32C crc = new CRC32C();
    byte[] content = out.toBytes();
    crc.update(content);
    return out.i32((int) crc.getValue()).toBytes();
  }

  static IndexColumns parse(byte[] bytes, String name) {
    ByteReader in = new ByteReader(bytes, name);
    if (!Arrays.equals(in.raw(MAGIC.length), MAGIC)) {
      throw in.damaged("does not begin as one");
    }
    int version = in.i32();
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, Math.max(0, bytes.length - 4));
    if (new ByteReader(Arrays.copyOfRange(bytes, Math.max(0, bytes.length - 4), bytes.length), name)
            .i32()
        != (int) crc.getValue()) {
      throw in.damaged("has a wrong checksum");
    }
    if (version != FORMAT_VERSION) {
      throw new LeatException(
          ErrorCode.INDEX_FORMAT_UNSUPPORTED,
          "the index file "
              + name
              + " has the format version "
              + version
              + "; this release reads "
              + FORMAT_VERSION
              + "; delete the index, it is built again");
    }
    int segmentBits = in.u8();
    int shardBits = in.u8();
    if (segmentBits > MAX_SEGMENT_BITS || shardBits > segmentBits) {
      throw in.damaged("has " + segmentBits + " segment bits and " + shardBits + " shard bits");
    }
    KeyCodec keys = KeyCodec.readFrom(in);
    RowLayout layout = RowLayout.readFrom(in);
    byte[][][] dictionaries = new byte[layout.cells().size()][][];
    for (int i = 0; i < dictionaries.length; i++) {
      dictionaries[i] = new byte[in.count(ValueDictionary.LIMIT)][];
      for (int code = 0; code < dictionaries[i].length; code++) {
        dictionaries[i][code] = in.raw(in.count(ValueDictionary.MAX_VALUE_LENGTH));
      }
    }
    if (in.left() != 4) {
      throw in.damaged("is longer than its content");
    }
    return new IndexColumns(keys, layout, segmentBits, shardBits, dictionaries);
  }
}
