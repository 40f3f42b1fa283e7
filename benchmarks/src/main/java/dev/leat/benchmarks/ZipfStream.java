package dev.leat.benchmarks;

import java.util.Random;
import java.util.function.LongSupplier;

/**
 * Ranks from 1 on, distributed by Zipf's law with the exponent 1, drawn by rejection-inversion (W.
 * Hörmann and G. Derflinger, 1996), which needs no table.
 */
final class ZipfStream implements LongSupplier {
  private final Random random;
  private final long ranks;
  private final double first;
  private final double last;

  ZipfStream(long ranks, Random random) {
    this.ranks = ranks;
    this.random = random;
    // The integral of 1/x is the logarithm; the head is cut so that rank 1 has its exact weight.
    this.first = Math.log(1.5) - 1;
    this.last = Math.log(ranks + 0.5);
  }

  @Override
  public long getAsLong() {
    while (true) {
      double u = last + random.nextDouble() * (first - last);
      double x = Math.exp(u);
      long rank = Math.max(1, Math.min(ranks, Math.round(x)));
      if (u >= Math.log(rank + 0.5) - 1.0 / rank) {
        return rank;
      }
    }
  }
}
