package dev.leat.internal.index;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;

/**
 * The bytes of keys while they are being put together, in the form that {@link KeyForm} says: of
 * one, or of those of a batch one behind the other. Reused.
 */
final class KeyBuffer {
  private static final byte[] LOWER_DIGITS = digits("0123456789abcdef");
  private static final byte[] UPPER_DIGITS = digits("0123456789ABCDEF");

  /** What is kept of the room that large keys took. */
  private static final int KEPT_BYTES = 1 << 16;

  private final int[] offsets;
  private final int[] widths;
  private final int fixedLength;
  private byte[] bytes;

  /** Where the present key begins. */
  private int start;

  private int length;
  private boolean representable = true;
  private byte[] uuidDigits = LOWER_DIGITS;
  private boolean sawUuid;

  /** How the digits above nine of a UUID are written. */
  enum UuidCase {
    LOWER,
    UPPER
  }

  KeyBuffer(KeyForm form) {
    int columns = form.types().size();
    this.offsets = new int[columns];
    this.widths = new int[columns];
    for (int i = 0; i < columns; i++) {
      offsets[i] = form.offset(i);
      widths[i] = KeyForm.width(form.types().get(i));
    }
    this.fixedLength = form.fixedLength();
    this.bytes = new byte[fixedLength + 64 + Bits.SLACK];
  }

  private static byte[] digits(String digits) {
    return digits.getBytes(StandardCharsets.US_ASCII);
  }

  /** Begins the next key and forgets all others. The columns are to be set in their order. */
  void clear() {
    start = 0;
    begin();
  }

  /** Begins the next key and keeps those before it. */
  void next() {
    start += length;
    ensureFixed();
    begin();
  }

  /** Begins with a batch, as if a key without bytes stood first. */
  void beginBatch() {
    start = 0;
    length = 0;
    if (bytes.length > KEPT_BYTES) {
      bytes = new byte[fixedLength + 64 + Bits.SLACK];
    }
  }

  /** Goes back to a key of the batch. */
  void goTo(int keyStart, int keyLength) {
    start = keyStart;
    length = keyLength;
  }

  private void begin() {
    length = fixedLength;
    representable = true;
  }

  private void ensureFixed() {
    if (bytes.length - Bits.SLACK - start < fixedLength) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, start + fixedLength + Bits.SLACK));
    }
  }

  byte[] bytes() {
    return bytes;
  }

  /** Where the key begins in the bytes. */
  int start() {
    return start;
  }

  /** The bytes of the key. */
  int length() {
    return length;
  }

  /**
   * Whether all values could be given in the types of the columns; otherwise no row has the key.
   */
  boolean representable() {
    return representable;
  }

  void notRepresentable() {
    representable = false;
  }

  /** Sets an integer, a boolean, a date, or the bits of a floating-point number. */
  void setNumber(int column, long value) {
    int offset = start + offsets[column];
    switch (widths[column]) {
      case 1 -> bytes[offset] = (byte) Bits.zigzag(value);
      case 2 -> {
        long zigzag = Bits.zigzag(value);
        bytes[offset] = (byte) zigzag;
        bytes[offset + 1] = (byte) (zigzag >>> 8);
      }
      case 4 -> Bits.INT.set(bytes, offset, (int) Bits.zigzag(value));
      default -> Bits.LONG.set(bytes, offset, Bits.zigzag(value));
    }
  }

  void setTimestamp(int column, long epochSecond, int nano) {
    int offset = start + offsets[column];
    Bits.LONG.set(bytes, offset, Bits.zigzag(epochSecond));
    Bits.INT.set(bytes, offset + 8, nano);
  }

  /** Sets a decimal from its unscaled value, which is known to fit the type. */
  void setDecimal(int column, byte[] unscaled, int from, int count) {
    int offset = start + offsets[column];
    int width = widths[column];
    if (width == 8) {
      Bits.LONG.set(bytes, offset, Bits.zigzag(Numbers.fromBigEndian(unscaled, from, count)));
      return;
    }
    Arrays.fill(bytes, offset, offset + width, (byte) (unscaled[from] >> 7));
    for (int i = 0; i < count; i++) {
      bytes[offset + i] = unscaled[from + count - 1 - i];
    }
  }

  /** Sets a decimal from its unscaled value. */
  void setDecimal(int column, long unscaled) {
    int offset = start + offsets[column];
    if (widths[column] == 8) {
      Bits.LONG.set(bytes, offset, Bits.zigzag(unscaled));
    } else {
      Bits.LONG.set(bytes, offset, unscaled);
      Bits.LONG.set(bytes, offset + 8, unscaled >> 63);
    }
  }

  void setBytes(int column, byte[] value, int from, int count) {
    if (count > KeyForm.MAX_LENGTH - length) {
      throw new LeatException(
          ErrorCode.ROW_TOO_LARGE,
          "a key of more than "
              + KeyForm.MAX_LENGTH
              + " bytes cannot be indexed (a column has "
              + count
              + "); choose a shorter key");
    }
    ensure(count);
    System.arraycopy(value, from, bytes, start + length, count);
    text(column, count);
  }

  /** Sets text; one that is not well-formed UTF-16 cannot be a key. */
  void setText(int column, String value) {
    int chars = value.length();
    if (chars > KeyForm.MAX_LENGTH - length) {
      notRepresentable();
      return;
    }
    ensure(chars * 3);
    int at = start + length;
    for (int i = 0; i < chars; i++) {
      char c = value.charAt(i);
      if (c < 0x80) {
        bytes[at++] = (byte) c;
      } else if (c < 0x800) {
        bytes[at++] = (byte) (0xc0 | c >> 6);
        bytes[at++] = (byte) (0x80 | c & 0x3f);
      } else if (Character.isSurrogate(c)) {
        if (!Character.isHighSurrogate(c)
            || i + 1 == chars
            || !Character.isLowSurrogate(value.charAt(i + 1))) {
          notRepresentable();
          return;
        }
        int point = Character.toCodePoint(c, value.charAt(++i));
        bytes[at++] = (byte) (0xf0 | point >> 18);
        bytes[at++] = (byte) (0x80 | point >> 12 & 0x3f);
        bytes[at++] = (byte) (0x80 | point >> 6 & 0x3f);
        bytes[at++] = (byte) (0x80 | point & 0x3f);
      } else {
        bytes[at++] = (byte) (0xe0 | c >> 12);
        bytes[at++] = (byte) (0x80 | c >> 6 & 0x3f);
        bytes[at++] = (byte) (0x80 | c & 0x3f);
      }
    }
    text(column, at - start - length);
  }

  /** The number at a column; of a decimal, its unscaled value. */
  long number(int column) {
    int offset = start + offsets[column];
    long zigzag =
        switch (widths[column]) {
          case 1 -> bytes[offset] & 0xffL;
          case 2 -> bytes[offset] & 0xffL | (bytes[offset + 1] & 0xffL) << 8;
          case 4 -> (int) Bits.INT.get(bytes, offset) & 0xffff_ffffL;
          default -> (long) Bits.LONG.get(bytes, offset);
        };
    return zigzag >>> 1 ^ -(zigzag & 1);
  }

  /** The nanoseconds of a timestamp. */
  int nano(int column) {
    return (int) Bits.INT.get(bytes, start + offsets[column] + 8);
  }

  /** The unscaled value of a decimal that has 16 bytes. */
  BigInteger wideNumber(int column) {
    int offset = start + offsets[column];
    byte[] unscaled = new byte[16];
    for (int i = 0; i < unscaled.length; i++) {
      unscaled[i] = bytes[offset + unscaled.length - 1 - i];
    }
    return new BigInteger(unscaled);
  }

  /** Where the text at a column begins. */
  int textStart(int column) {
    int at = fixedLength;
    for (int i = 0; i < column; i++) {
      if (widths[i] == 0) {
        at += (int) Bits.INT.get(bytes, start + offsets[i]);
      }
    }
    return start + at;
  }

  /** The bytes of the text at a column, which begins at a place. */
  int textLength(int column, int from) {
    int offset = offsets[column];
    return offset < 0 ? start + length - from : (int) Bits.INT.get(bytes, start + offset);
  }

  private void text(int column, int count) {
    int offset = offsets[column];
    if (offset >= 0) {
      Bits.INT.set(bytes, start + offset, count);
    }
    length += count;
  }

  /** In which case the digits of UUIDs are written from now on. */
  void writeUuidsIn(UuidCase digits) {
    uuidDigits = digits == UuidCase.UPPER ? UPPER_DIGITS : LOWER_DIGITS;
  }

  /** Whether any key so far has had a UUID. */
  boolean sawUuid() {
    return sawUuid;
  }

  /** Sets a UUID as its text of 36 characters. */
  void setUuid(int column, UUID value) {
    sawUuid = true;
    ensure(36);
    byte[] digits = uuidDigits;
    int at = start + length;
    long bits = value.getMostSignificantBits();
    for (int i = 0; i < 36; i++) {
      switch (i) {
        case 8, 13, 18, 23 -> bytes[at + i] = '-';
        default -> {
          if (i == 19) {
            bits = value.getLeastSignificantBits();
          }
          bytes[at + i] = digits[(int) (bits >>> 60)];
          bits <<= 4;
        }
      }
    }
    text(column, 36);
  }

  private void ensure(int more) {
    int end = start + length;
    if (bytes.length - Bits.SLACK - end < more) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, end + more + Bits.SLACK));
    }
  }
}
