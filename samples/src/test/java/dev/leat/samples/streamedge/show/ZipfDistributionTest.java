package dev.leat.samples.streamedge.show;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import java.util.Random;
import org.junit.jupiter.api.Test;

class ZipfDistributionTest {

  @Test
  void ranksAreDrawnAsOftenAsTheLawSays() {
    ZipfDistribution ranks = new ZipfDistribution(100, 1);
    Random random = new Random(7);
    int[] drawn = new int[100];
    for (int i = 0; i < 1_000_000; i++) {
      drawn[ranks.next(random)]++;
    }
    assertThat(drawn[0] / (double) drawn[1]).isCloseTo(2, withPercentage(3));
    assertThat(drawn[0] / (double) drawn[9]).isCloseTo(10, withPercentage(5));
    assertThat(drawn[99]).isPositive();
  }
}
