package dev.leat.samples.streamedge.show;

import dev.leat.samples.streamedge.VideoPlay;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Makes video plays: the customers by Zipf's law, some that the table does not have, and some that
 * the player did not name. The same seed makes the same plays.
 */
final class PlayGenerator {
  private static final double EXPONENT = 1.05;
  private static final double SHARE_NULL = 0.01;
  private static final double SHARE_UNKNOWN = 0.02;

  private final Random random;
  private final List<String> customersByRank;
  private final ZipfDistribution ranks;
  private long nextEventId;

  PlayGenerator(List<String> customers, long seed) {
    random = new Random(seed);
    customersByRank = new ArrayList<>(customers);
    Collections.shuffle(customersByRank, random);
    ranks = new ZipfDistribution(customers.size(), EXPONENT);
  }

  VideoPlay next(long startedAt) {
    return new VideoPlay(
        nextEventId++,
        customer(),
        "video-" + random.nextInt(5_000),
        startedAt,
        1 + random.nextInt(7_200));
  }

  /** A customer that the table has. */
  String knownCustomer() {
    return customersByRank.get(ranks.next(random));
  }

  private @Nullable String customer() {
    double kind = random.nextDouble();
    if (kind < SHARE_NULL) {
      return null;
    }
    return kind < SHARE_NULL + SHARE_UNKNOWN ? "GUEST-" + random.nextInt(100_000) : knownCustomer();
  }
}
