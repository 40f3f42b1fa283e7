package dev.leat.samples.streamedge.show;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** What the person reads: short lines, each with the time since the start. Thread-safe. */
final class Console {

  private final PrintStream out;
  private final long start = System.nanoTime();
  private int chapter;

  Console(PrintStream out) {
    this.out = out;
  }

  /** Begins a part of the show. */
  synchronized void chapter(String title) {
    chapter++;
    out.println();
    out.println(chapter + ". " + title);
  }

  /** One line of what happens. */
  synchronized void line(String format, Object... values) {
    double seconds = (System.nanoTime() - start) / 1e9;
    out.printf(Locale.ROOT, "%7.1f s  %s%n", seconds, String.format(Locale.ROOT, format, values));
  }

  /** A table; the first row is its head. All columns but the first are aligned to the right. */
  synchronized void table(List<List<String>> rows) {
    int columns = rows.get(0).size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder("           ");
      for (int i = 0; i < columns; i++) {
        String pad = " ".repeat(widths[i] - row.get(i).length());
        line.append(i == 0 ? row.get(i) + pad : pad + row.get(i)).append("   ");
      }
      out.println(line.toString().stripTrailing());
    }
  }

  /** A line without a time, for what stands by itself. */
  synchronized void plain(String text) {
    out.println(text);
  }
}
