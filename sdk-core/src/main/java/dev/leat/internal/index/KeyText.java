package dev.leat.internal.index;

import dev.leat.format.ColumnType;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Shows the bytes of a key to people. */
final class KeyText {
  private static final int MAX_CHARS = 100;

  private KeyText() {}

  /** The values of the key at a staged row's run. */
  static String of(KeyForm form, StagedRow row) {
    List<String> values = new ArrayList<>();
    byte[] bytes = row.bytes();
    int text = row.offset() + form.fixedLength();
    int end = row.offset() + row.length();
    for (int i = 0; i < form.types().size(); i++) {
      ColumnType type = form.types().get(i);
      int at = row.offset() + Math.max(0, form.offset(i));
      int width = KeyForm.width(type);
      if (width == 0) {
        int length = form.offset(i) < 0 ? end - text : (int) Bits.INT.get(bytes, at);
        values.add(
            type.kind() == ColumnType.Kind.BINARY
                ? HexFormat.of().formatHex(bytes, text, text + length)
                : "'" + new String(bytes, text, length, StandardCharsets.UTF_8) + "'");
        text += length;
      } else if (width == 16) {
        byte[] unscaled = new byte[width];
        for (int b = 0; b < width; b++) {
          unscaled[width - 1 - b] = bytes[at + b];
        }
        values.add(new BigInteger(unscaled).toString());
      } else {
        long zigzag = Bits.get(bytes, at * 8L, Math.min(width, 8) * 8);
        values.add(Long.toString(zigzag >>> 1 ^ -(zigzag & 1)));
      }
    }
    String all = values.size() == 1 ? values.get(0) : values.toString();
    return all.length() > MAX_CHARS ? all.substring(0, MAX_CHARS) + "…" : all;
  }
}
