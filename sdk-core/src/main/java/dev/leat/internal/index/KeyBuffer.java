package dev.leat.internal.index;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * The bytes of one key while they are being put together, in the form that {@link KeyForm} says.
 * Reused.
 */
final class KeyBuffer {
  private final KeyForm form;
  private byte[] bytes;
  private int length;
  private boolean representable = true;

  KeyBuffer(KeyForm form) {
    this.form = form;
    this.bytes = new byte[form.fixedLength() + 64 + Bits.SLACK];
  }

  /** Begins the next key. The columns are to be set in their order. */
  void clear() {
    length = form.fixedLength();
    representable = true;
  }

  byte[] bytes() {
    return bytes;
  }

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
    int offset = form.offset(column);
    switch (KeyForm.width(form.types().get(column))) {
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
    int offset = form.offset(column);
    Bits.LONG.set(bytes, offset, Bits.zigzag(epochSecond));
    Bits.INT.set(bytes, offset + 8, nano);
  }

  /** Sets a decimal from its unscaled value, which is known to fit the type. */
  void setDecimal(int column, byte[] unscaled, int from, int count) {
    int offset = form.offset(column);
    int width = KeyForm.width(form.types().get(column));
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
    int offset = form.offset(column);
    if (KeyForm.width(form.types().get(column)) == 8) {
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
    System.arraycopy(value, from, bytes, length, count);
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
    int at = length;
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
    text(column, at - length);
  }

  /** The number at a column; of a decimal, its unscaled value. */
  long number(int column) {
    int offset = form.offset(column);
    long zigzag =
        switch (KeyForm.width(form.types().get(column))) {
          case 1 -> bytes[offset] & 0xffL;
          case 2 -> bytes[offset] & 0xffL | (bytes[offset + 1] & 0xffL) << 8;
          case 4 -> (int) Bits.INT.get(bytes, offset) & 0xffff_ffffL;
          default -> (long) Bits.LONG.get(bytes, offset);
        };
    return zigzag >>> 1 ^ -(zigzag & 1);
  }

  /** The nanoseconds of a timestamp. */
  int nano(int column) {
    return (int) Bits.INT.get(bytes, form.offset(column) + 8);
  }

  /** The unscaled value of a decimal that has 16 bytes. */
  BigInteger wideNumber(int column) {
    int offset = form.offset(column);
    byte[] unscaled = new byte[16];
    for (int i = 0; i < unscaled.length; i++) {
      unscaled[i] = bytes[offset + unscaled.length - 1 - i];
    }
    return new BigInteger(unscaled);
  }

  /** Where the text at a column begins. */
  int textStart(int column) {
    int start = form.fixedLength();
    for (int i = 0; i < column; i++) {
      if (KeyForm.width(form.types().get(i)) == 0) {
        start += (int) Bits.INT.get(bytes, form.offset(i));
      }
    }
    return start;
  }

  /** The bytes of the text at a column, which begins at a place. */
  int textLength(int column, int start) {
    int offset = form.offset(column);
    return offset < 0 ? length - start : (int) Bits.INT.get(bytes, offset);
  }

  private void text(int column, int count) {
    int offset = form.offset(column);
    if (offset >= 0) {
      Bits.INT.set(bytes, offset, count);
    }
    length += count;
  }

  private void ensure(int more) {
    if (bytes.length - Bits.SLACK - length < more) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more + Bits.SLACK));
    }
  }
}
