package dev.leat.internal.text;

import java.nio.charset.StandardCharsets;

/** Text as UTF-8 bytes. */
final class Utf8 {
  private Utf8() {}

  static boolean isAscii(byte[] bytes, int start, int end) {
    int i = start;
    for (; i + Words.BYTES <= end; i += Words.BYTES) {
      if ((Words.at(bytes, i) & Words.HIGH_BITS) != 0) {
        return false;
      }
    }
    for (; i < end; i++) {
      if (bytes[i] < 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether the bytes are well-formed by the Unicode Standard, table 3-7: no overlong form, no
   * surrogate, nothing above U+10FFFF.
   */
  static boolean isWellFormed(byte[] bytes, int start, int end) {
    int i = start;
    while (i < end) {
      int lead = bytes[i++];
      if (lead >= 0) {
        continue;
      }
      int length;
      int lowest = 0x80;
      int highest = 0xBF;
      switch (lead & 0xFF) {
        case 0xE0 -> {
          length = 2;
          lowest = 0xA0;
        }
        case 0xED -> {
          length = 2;
          highest = 0x9F;
        }
        case 0xF0 -> {
          length = 3;
          lowest = 0x90;
        }
        case 0xF4 -> {
          length = 3;
          highest = 0x8F;
        }
        default -> {
          int unsigned = lead & 0xFF;
          if (unsigned < 0xC2 || unsigned > 0xF4) {
            return false;
          }
          length = unsigned < 0xE0 ? 1 : unsigned < 0xF0 ? 2 : 3;
        }
      }
      if (end - i < length) {
        return false;
      }
      int second = bytes[i++] & 0xFF;
      if (second < lowest || second > highest) {
        return false;
      }
      for (; length > 1; length--) {
        if ((bytes[i++] & 0xC0) != 0x80) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * The text with U+FFFD in place of what is not well-formed, as Java's decoder and Hadoop's {@code
   * Text} put it.
   */
  static byte[] repaired(byte[] bytes, int start, int end) {
    return new String(bytes, start, end - start, StandardCharsets.UTF_8)
        .getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Where the character after the first {@code count} ones begins, or {@code end} where there are
   * not so many. The text is well-formed.
   */
  static int afterCharacters(byte[] bytes, int start, int end, int count) {
    if (end - start <= count) {
      return end;
    }
    int characters = 0;
    for (int i = start; i < end; i++) {
      if ((bytes[i] & 0xC0) != 0x80 && characters++ == count) {
        return i;
      }
    }
    return end;
  }
}
