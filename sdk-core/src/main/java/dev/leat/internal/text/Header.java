package dev.leat.internal.text;

import java.util.ArrayList;
import java.util.List;

/** The line at the beginning of a file that names its columns. */
final class Header {
  private Header() {}

  /**
   * The names. A cell without a name gets its number as one, {@code _c0} for the first; an empty
   * cell at the end is a delimiter that ends the line.
   */
  static List<String> names(byte[] bytes, int start, int end, TextLayout layout) {
    String line = new String(bytes, start, end - start, layout.charset());
    char delimiter = (char) layout.delimiter();
    List<String> names = new ArrayList<>();
    StringBuilder name = new StringBuilder();
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (layout.escape().isPresent()
          && c == (char) layout.escape().get().byteValue()
          && i + 1 < line.length()) {
        name.append(line.charAt(++i));
      } else if (c == delimiter) {
        names.add(named(name, names.size()));
        name.setLength(0);
      } else {
        name.append(c);
      }
    }
    if (!name.toString().isBlank()) {
      names.add(named(name, names.size()));
    }
    return List.copyOf(names);
  }

  private static String named(StringBuilder name, int position) {
    return name.toString().isBlank() ? "_c" + position : name.toString().strip();
  }
}
