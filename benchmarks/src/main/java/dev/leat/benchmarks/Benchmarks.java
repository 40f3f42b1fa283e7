package dev.leat.benchmarks;

import dev.leat.benchmarks.pipeline.PipelineBenchmark;
import dev.leat.benchmarks.tiers.TiersBenchmark;
import java.nio.file.Path;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The entry of {@code benchmarks/run}. */
public final class Benchmarks {
  private Benchmarks() {}

  /** Runs the benchmark that the first argument names. */
  public static void main(String[] args) throws Exception {
    // Some peers tell of each file that they open.
    Logger.getLogger("").setLevel(Level.WARNING);
    if (args.length == 2 && args[0].equals("plot")) {
      Plots.draw(Path.of(args[1]));
    } else {
      System.out.println(run(args));
    }
  }

  static Results run(String... args) throws Exception {
    return switch (args.length == 0 ? "" : args[0]) {
      case "lookup" -> LookupBenchmark.run(args);
      case "build" -> BuildBenchmark.run(args);
      case "build-peer" -> BuildBenchmark.runPeer(args);
      case "scale" -> ScaleBenchmark.run(args);
      case "pipeline" -> PipelineBenchmark.run(args);
      case "tiers" -> TiersBenchmark.run(args);
      default ->
          throw new IllegalArgumentException(
              "name a benchmark: lookup, build, scale, pipeline or tiers");
    };
  }
}
