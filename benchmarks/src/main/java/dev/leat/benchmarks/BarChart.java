package dev.leat.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A chart of horizontal bars as SVG. */
final class BarChart {
  private static final int LABEL = 190;
  private static final int LONGEST = 420;
  private static final int LINE = 22;
  private static final int TOP = 40;

  private final String title;
  private final double origin;
  private final List<Bar> bars = new ArrayList<>();

  private record Bar(String label, double value, boolean ours) {}

  private BarChart(String title, double origin) {
    this.title = title;
    this.origin = origin;
  }

  static BarChart linear(String title) {
    return new BarChart(title, 0);
  }

  /** Bars of logarithms, which begin at a value above zero. */
  static BarChart logarithmic(String title, double origin) {
    return new BarChart(title, origin);
  }

  BarChart bar(String label, double value, boolean ours) {
    bars.add(new Bar(label, value, ours));
    return this;
  }

  private double length(double value) {
    return origin == 0 ? value : Math.max(0, Math.log(value / origin));
  }

  String svg() {
    double most = bars.stream().mapToDouble(bar -> length(bar.value)).max().orElse(1);
    int height = TOP + bars.size() * LINE + 10;
    int width = LABEL + LONGEST + 90;
    StringBuilder svg = new StringBuilder();
    svg.append(
        String.format(
            Locale.ROOT,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"13\">%n",
            width,
            height,
            width,
            height));
    svg.append(
        String.format(
            Locale.ROOT,
            "  <rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>%n  <text x=\"10\" y=\"22\" font-weight=\"bold\">%s</text>%n",
            width,
            height,
            title));
    int y = TOP;
    for (Bar bar : bars) {
      double length = most == 0 ? 0 : length(bar.value) / most * LONGEST;
      svg.append(
          String.format(
              Locale.ROOT,
              "  <text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>%n"
                  + "  <rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>%n"
                  + "  <text x=\"%.1f\" y=\"%d\">%s</text>%n",
              LABEL - 8,
              y + 14,
              bar.label,
              LABEL,
              y + 2,
              Math.max(1, length),
              LINE - 6,
              bar.ours ? "#1f77b4" : "#b0b7bf",
              LABEL + length + 6,
              y + 14,
              shown(bar.value)));
      y += LINE;
    }
    return svg.append("</svg>\n").toString();
  }

  private static String shown(double value) {
    return String.format(Locale.ROOT, value >= 100 ? "%,.0f" : value >= 1 ? "%.2f" : "%.3f", value);
  }
}
