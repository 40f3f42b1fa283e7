package dev.leat.benchmarks;

import dev.leat.benchmarks.pipeline.PipelineBenchmark;
import java.util.Arrays;

/** The entry of {@code benchmarks/run}. */
public final class Benchmarks {
  private Benchmarks() {}

  /** Runs the benchmark that the first argument names. */
  public static void main(String[] args) throws Exception {
    switch (args.length == 0 ? "" : args[0]) {
      case "lookup" -> LookupBenchmark.run(args);
      case "build" -> BuildBenchmark.run(args);
      case "scale" -> ScaleBenchmark.run(args);
      case "pipeline" -> PipelineBenchmark.main(Arrays.copyOfRange(args, 1, args.length));
      default ->
          throw new IllegalArgumentException("name a benchmark: lookup, build, scale or pipeline");
    }
  }
}
