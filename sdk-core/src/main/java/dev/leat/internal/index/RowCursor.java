package dev.leat.internal.index;

import dev.leat.ErrorCode;
import dev.leat.LeatException;

/**
 * The place of the row that a lookup has found, in mapped memory. Belongs to one thread; reused.
 */
final class RowCursor {
  private long address;
  private int shift;
  private long bytes;
  private long end;
  private byte[] scratch = new byte[256];

  /**
   * Goes to a row.
   *
   * @param rowAddress the byte in which the row's bits begin
   * @param rowShift the bit of that byte with which they begin
   * @param rowBytes where the bytes behind the bits begin
   * @param rowEnd where the block ends
   */
  void to(long rowAddress, int rowShift, long rowBytes, long rowEnd) {
    address = rowAddress;
    shift = rowShift;
    bytes = rowBytes;
    end = rowEnd;
  }

  /** Goes to another record of the same block. */
  void toRecord(long rowAddress, int rowShift, long rowBytes) {
    if (rowBytes > end) {
      throw damaged();
    }
    address = rowAddress;
    shift = rowShift;
    bytes = rowBytes;
  }

  /** The first bits of the row; 57 of them are valid. */
  long word() {
    return Memory.loadLong(address) >>> shift;
  }

  /** The bits of a field. */
  long bits(int bit, int width) {
    int at = shift + bit;
    long from = address + (at >>> 3);
    int down = at & 7;
    long value = Memory.loadLong(from) >>> down;
    return down + width > 64 ? value | (long) Memory.loadByte(from + 8) << (64 - down) : value;
  }

  /** The address of some of the bytes behind the bits. */
  long run(long offset, long length) {
    long from = bytes + offset;
    if (length > end - from) {
      throw damaged();
    }
    return from;
  }

  /** The error for a code that no value of the column's dictionary has. */
  static LeatException damagedCode(int code) {
    return damaged("a row of the index has the code " + code + ", which its dictionary lacks");
  }

  private static LeatException damaged() {
    return damaged("a row of the index ends behind its block");
  }

  private static LeatException damaged(String what) {
    return new LeatException(
        ErrorCode.INDEX_DAMAGED, what + "; delete the index, it is built again from the source");
  }

  /** An array of at least some length, for use until the next call. */
  byte[] scratch(int length) {
    if (scratch.length < length) {
      scratch = new byte[Math.max(scratch.length * 2, length)];
    }
    return scratch;
  }
}
