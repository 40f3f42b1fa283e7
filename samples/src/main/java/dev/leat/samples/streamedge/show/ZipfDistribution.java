package dev.leat.samples.streamedge.show;

import java.util.Arrays;
import java.util.Random;

/**
 * Ranks from 0, of which rank r is drawn with a probability proportional to 1 / (r +
 * 1)<sup>exponent</sup>: a few customers watch most of the videos. Drawn by bisecting the cumulated
 * probabilities.
 */
final class ZipfDistribution {

  private final double[] cumulated;

  ZipfDistribution(int ranks, double exponent) {
    cumulated = new double[ranks];
    double sum = 0;
    for (int rank = 0; rank < ranks; rank++) {
      sum += 1 / Math.pow(rank + 1.0, exponent);
      cumulated[rank] = sum;
    }
  }

  int next(Random random) {
    double point = random.nextDouble() * cumulated[cumulated.length - 1];
    int found = Arrays.binarySearch(cumulated, point);
    return found >= 0 ? found : -found - 1;
  }
}
