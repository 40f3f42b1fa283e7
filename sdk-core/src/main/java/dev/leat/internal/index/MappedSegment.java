package dev.leat.internal.index;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** A segment in mapped memory. Thread-safe; whoever reads a block calls {@link #check} before. */
final class MappedSegment {
  final Segment shape;
  final long address;
  final boolean inline;
  final int lineShift;
  final int slots;
  final int slotBits;
  final int remainderShift;
  final int upperBits;
  final long blocks;
  final long blockLines;
  final long blockBytes;

  /** Behind the last byte of the segment. */
  final long end;

  private final String name;
  private final ByteBuffer file;
  private final int[] crcs;

  /**
   * A byte per block, not 0 once its checksum was found right. A race only makes two threads
   * compute it.
   */
  private final byte[] checked;

  MappedSegment(
      Segment shape,
      int bodyBits,
      int[] crcs,
      int directoryCrc,
      ByteBuffer file,
      long fileAddress,
      String name) {
    this.shape = shape;
    this.address = fileAddress + shape.offset();
    this.inline = shape.inline();
    this.lineShift = shape.lineShift();
    this.slots = shape.slots();
    this.slotBits = shape.slotBits(bodyBits);
    this.remainderShift = 64 - shape.remainderBits();
    this.upperBits = shape.upperRemainderBits();
    this.blocks = shape.blocks();
    this.blockLines = shape.blockLines();
    this.blockBytes = shape.blockLineBytes();
    this.end = address + shape.length();
    this.crcs = crcs;
    this.checked = new byte[crcs.length];
    this.file = file;
    this.name = name;
    if (!inline) {
      checkDirectory(directoryCrc);
    }
  }

  private void checkDirectory(int directoryCrc) {
    if (crc(0, shape.directoryBytes()) != directoryCrc) {
      throw damaged("has a wrong checksum in a directory");
    }
    long previous = shape.directoryBytes();
    for (long block = 0; block <= blocks; block++) {
      long start = Memory.loadLong(address + block * 8);
      if (block == 0 ? start != previous : start - previous < blockBytes) {
        throw damaged("has a directory that cannot be");
      }
      previous = start;
    }
    if (previous != shape.length()) {
      throw damaged("has a directory that cannot be");
    }
  }

  /** Where a block with records begins. */
  long blockStart(long block) {
    return address + Memory.loadLong(address + block * 8);
  }

  /** Where the line of a hash begins, which has lost its segment's bits. */
  long lineAddress(long hash) {
    long block = Bits.multiplyHigh(hash, blocks);
    long line = Bits.multiplyHigh(hash * blocks, blockLines);
    long start = inline ? address + block * blockBytes : blockStart(block);
    return start + (line << lineShift);
  }

  /** Makes sure that a block is as it was written. */
  void check(long block) {
    if (checked[(int) block] == 0) {
      checkNow((int) block);
    }
  }

  private void checkNow(int block) {
    long from = inline ? block * blockBytes : blockStart(block) - address;
    long to = inline ? from + blockBytes : blockStart(block + 1L) - address;
    if (crc(from, to - from) != crcs[block]) {
      throw damaged("has a wrong checksum in block " + block);
    }
    checked[block] = 1;
  }

  private int crc(long from, long length) {
    CRC32C crc = new CRC32C();
    crc.update(file.slice(Math.toIntExact(shape.offset() + from), Math.toIntExact(length)));
    return (int) crc.getValue();
  }

  LeatException damaged(String what) {
    return new LeatException(
        ErrorCode.INDEX_DAMAGED,
        "the index file "
            + name
            + " "
            + what
            + "; delete the index, it is built again from the source");
  }
}
