package dev.leat.internal.engine;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What other threads want the service's thread to do, in the order in which they asked for it.
 * Thread-safe.
 */
final class Orders {
  private static final Logger LOG = LoggerFactory.getLogger(Orders.class);

  private final String dimension;
  private final Runnable wake;
  private final Queue<Placed<?>> queue = new ConcurrentLinkedQueue<>();

  /** Why none is taken any more. */
  private volatile @Nullable Throwable ended;

  /**
   * Begins without any.
   *
   * @param wake tells the service's thread that there is one
   */
  Orders(String dimension, Runnable wake) {
    this.dimension = dimension;
    this.wake = wake;
  }

  /** Something to do on the service's thread. */
  @FunctionalInterface
  interface Order<T> {
    T carryOut(VersionSupply supply) throws InterruptedException;
  }

  /** The same where nobody waits for the outcome. */
  @FunctionalInterface
  interface Chore {
    void carryOut(VersionSupply supply) throws InterruptedException;
  }

  private record Placed<T>(Order<T> order, CompletableFuture<T> outcome) {
    void carryOut(VersionSupply supply) throws InterruptedException {
      try {
        outcome.complete(order.carryOut(supply));
      } catch (InterruptedException e) {
        outcome.completeExceptionally(e);
        throw e;
      } catch (RuntimeException | Error e) {
        // Whatever it is, the service goes on: the one who asked decides what follows.
        outcome.completeExceptionally(e);
      }
    }
  }

  /** Asks for something that nobody waits for; where it fails, that is logged. */
  void placeUnawaited(Chore chore) {
    CompletableFuture<Boolean> outcome =
        place(
            supply -> {
              try {
                chore.carryOut(supply);
                return true;
              } catch (RuntimeException e) {
                LOG.warn("Dimension '{}': an order failed", dimension, e);
                return false;
              }
            });
    LOG.trace("Dimension '{}': ordered {}", dimension, outcome);
  }

  /** Asks for something; what comes of it is told on the service's thread. */
  <T> CompletableFuture<T> place(Order<T> order) {
    Placed<T> placed = new Placed<>(order, new CompletableFuture<>());
    queue.add(placed);
    wake.run();
    if (ended != null) {
      refuseTheRest();
    }
    return placed.outcome();
  }

  boolean pending() {
    return !queue.isEmpty();
  }

  /** Does what was asked for first. */
  void carryOutNext(VersionSupply supply) throws InterruptedException {
    Placed<?> next = queue.poll();
    if (next != null) {
      next.carryOut(supply);
    }
  }

  /** Refuses what is left and what comes. */
  void end(Throwable reason) {
    ended = reason;
    refuseTheRest();
  }

  private void refuseTheRest() {
    Throwable reason = ended;
    for (Placed<?> placed = queue.poll(); placed != null; placed = queue.poll()) {
      placed
          .outcome()
          .completeExceptionally(
              reason == null ? new IllegalStateException("the service has ended") : reason);
    }
  }
}
