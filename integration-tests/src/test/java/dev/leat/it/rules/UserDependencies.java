package dev.leat.it.rules;

import java.util.ArrayList;
import java.util.List;

/**
 * The run-time dependency tree of an artifact as a user gets it: what the build's own tree has,
 * without optional dependencies and what only they bring.
 */
final class UserDependencies {

  private static final int INDENT = 3;

  private UserDependencies() {}

  /**
   * Describes a tree.
   *
   * @param tree the output of {@code dependency:tree} for the run-time scope
   * @return one line per artifact, indented by two blanks per level, and the count
   */
  static String of(String tree) {
    List<String> kept = new ArrayList<>();
    int droppedDepth = Integer.MAX_VALUE;
    for (String line : tree.lines().toList()) {
      int depth = depth(line);
      if (depth > droppedDepth) {
        continue;
      }
      droppedDepth = line.endsWith("(optional)") ? depth : Integer.MAX_VALUE;
      if (droppedDepth == Integer.MAX_VALUE) {
        kept.add("  ".repeat(depth) + coordinates(line));
      }
    }
    return String.join("\n", kept) + "\n# " + (kept.size() - 1) + " artifacts\n";
  }

  private static int depth(String line) {
    int start = 0;
    while (" |+-\\".indexOf(line.charAt(start)) >= 0) {
      start++;
    }
    return start / INDENT;
  }

  private static String coordinates(String line) {
    return line.replaceFirst("^[ |+\\\\-]*", "").replace(":jar:", ":").replace(" (optional)", "");
  }
}
