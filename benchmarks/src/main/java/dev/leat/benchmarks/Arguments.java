package dev.leat.benchmarks;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The flags of a benchmark: {@code --name value}. */
public final class Arguments {
  private final Map<String, String> values = new HashMap<>();

  /** Takes the flags after the benchmark's name, of which only some are known. */
  public Arguments(String[] args, Set<String> known) {
    for (int i = 1; i < args.length; i += 2) {
      String name = args[i].startsWith("--") ? args[i].substring(2) : "";
      if (!known.contains(name) || i + 1 == args.length) {
        throw new IllegalArgumentException(
            "'"
                + args[i]
                + "' is not a flag with a value; there are --"
                + String.join(", --", known.stream().sorted().toList()));
      }
      values.put(name, args[i + 1]);
    }
  }

  public long number(String name, long otherwise) {
    String value = values.get(name);
    return value == null ? otherwise : Long.parseLong(value.replace("_", ""));
  }

  public String text(String name, String otherwise) {
    return values.getOrDefault(name, otherwise);
  }

  public List<String> list(String name, List<String> otherwise) {
    String value = values.get(name);
    return value == null ? otherwise : List.of(value.split(",", -1));
  }

  public Path path(String name, Path otherwise) {
    String value = values.get(name);
    return value == null ? otherwise : Path.of(value);
  }
}
