package dev.leat.internal.store;

import dev.leat.internal.store.CircuitBreaker.Outcome;
import dev.leat.internal.store.CircuitBreaker.Permit;
import dev.leat.spi.BlobStore;
import dev.leat.spi.StoreException;
import dev.leat.spi.StoreException.Kind;
import java.io.IOException;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * Sends every request through a {@link CircuitBreaker}. A refused one fails with kind {@code
 * UNAVAILABLE}.
 */
final class CircuitBreakingStore extends DecoratedStore {
  private final CircuitBreaker breaker;

  CircuitBreakingStore(BlobStore delegate, CircuitBreaker breaker) {
    super(delegate);
    this.breaker = breaker;
  }

  /**
   * The cause by which a refusal is told from a failure of the store: waiting a little and asking
   * again is of no use.
   */
  private static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Refused() {
      super("the circuit breaker is open", null, false, false);
    }
  }

  static boolean isRefusal(StoreException failure) {
    return failure.getCause() instanceof Refused;
  }

  @Override
  <T> T call(Operation operation, URI uri, Call<T> call) throws IOException {
    Permit permit = breaker.tryAcquire();
    if (permit == null) {
      throw new StoreException(
          Kind.UNAVAILABLE,
          "cannot "
              + operation
              + " "
              + uri
              + ": the store has failed too often and is left alone for a while",
          new Refused());
    }
    Outcome outcome = Outcome.UNKNOWN;
    @Nullable Throwable failure = null;
    try {
      T result = call.run();
      outcome = Outcome.ANSWERED;
      return result;
    } catch (IOException | RuntimeException e) {
      outcome = CircuitBreaker.outcomeOf(e);
      failure = e;
      throw e;
    } finally {
      breaker.release(permit, outcome, failure);
    }
  }
}
