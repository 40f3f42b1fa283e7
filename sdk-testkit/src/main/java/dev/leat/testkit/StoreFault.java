package dev.leat.testkit;

import static java.util.Objects.requireNonNull;

import dev.leat.spi.StoreException;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A fault of {@link InMemoryS3}: what happens, at which operation, to which keys, after how many
 * calls, and how often. Immutable: each method returns a changed copy.
 *
 * <pre>{@code
 * s3.inject(StoreFault.slowDown().at(StoreOperation.READ).times(3));
 * s3.inject(StoreFault.run(() -> s3.put("customers/part-0", other)).at(StoreOperation.READ).afterCalls(2));
 * }</pre>
 */
public final class StoreFault {

  /**
   * Longer than any test may wait: a latch that nobody opens fails the call instead of hanging the
   * build.
   */
  private static final long PATIENCE_SECONDS = 60;

  private enum What {
    THROW,
    BREAK_STREAM,
    RUN
  }

  private final String name;
  private final What what;
  private final StoreException.Kind kind;
  private final long afterBytes;
  private final Runnable action;
  private final Set<StoreOperation> operations;
  private final String keyPart;
  private final int afterCalls;
  private final int times;

  private StoreFault(
      String name,
      What what,
      StoreException.Kind kind,
      long afterBytes,
      Runnable action,
      Set<StoreOperation> operations,
      String keyPart,
      int afterCalls,
      int times) {
    this.name = name;
    this.what = what;
    this.kind = kind;
    this.afterBytes = afterBytes;
    this.action = action;
    this.operations = operations;
    this.keyPart = keyPart;
    this.afterCalls = afterCalls;
    this.times = times;
  }

  private static StoreFault of(
      String name, What what, StoreException.Kind kind, long afterBytes, Runnable action) {
    return new StoreFault(
        name, what, kind, afterBytes, action, Set.of(StoreOperation.values()), "", 0, 1);
  }

  private static StoreFault throwing(String name, StoreException.Kind kind) {
    return of(name, What.THROW, kind, 0, () -> {});
  }

  /** S3 answers 503 SlowDown. */
  public static StoreFault slowDown() {
    return throwing("503 SlowDown", StoreException.Kind.THROTTLED);
  }

  /** S3 answers 500 InternalError. */
  public static StoreFault serverError() {
    return throwing("500 InternalError", StoreException.Kind.UNAVAILABLE);
  }

  /** S3 answers 403 AccessDenied. */
  public static StoreFault accessDenied() {
    return throwing("403 AccessDenied", StoreException.Kind.ACCESS_DENIED);
  }

  /** S3 answers 400 ExpiredToken: the time of temporary credentials is over. */
  public static StoreFault expiredToken() {
    return throwing("400 ExpiredToken", StoreException.Kind.ACCESS_DENIED);
  }

  /** No answer comes within the client's time limit. */
  public static StoreFault timeout() {
    return throwing("no answer", StoreException.Kind.TIMEOUT);
  }

  /**
   * The connection breaks in the middle of the content.
   *
   * @param bytes how many bytes come through
   */
  public static StoreFault resetAfter(long bytes) {
    return of(
            "connection reset after " + bytes + " bytes",
            What.BREAK_STREAM,
            StoreException.Kind.UNAVAILABLE,
            bytes,
            () -> {})
        .at(StoreOperation.READ, StoreOperation.STREAM);
  }

  /**
   * The call waits until the test opens the latch, then goes on.
   *
   * @param latch what the test counts down
   */
  public static StoreFault waitFor(CountDownLatch latch) {
    requireNonNull(latch, "latch");
    return run(
        () -> {
          try {
            if (!latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
              throw new IllegalStateException(
                  "nobody opened the latch for " + PATIENCE_SECONDS + " s");
            }
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }

  /**
   * Something happens just before the call, such as another job that overwrites the object.
   *
   * @param action what happens
   */
  public static StoreFault run(Runnable action) {
    return of(
        "an action", What.RUN, StoreException.Kind.OTHER, 0, requireNonNull(action, "action"));
  }

  /** Which operations it strikes; all if not called. */
  public StoreFault at(StoreOperation first, StoreOperation... more) {
    return new StoreFault(
        name,
        what,
        kind,
        afterBytes,
        action,
        java.util.EnumSet.of(first, more),
        keyPart,
        afterCalls,
        times);
  }

  /** A part of the keys that it strikes; all if not called. */
  public StoreFault forKeysWith(String part) {
    return new StoreFault(
        name,
        what,
        kind,
        afterBytes,
        action,
        operations,
        requireNonNull(part, "part"),
        afterCalls,
        times);
  }

  /** How many calls that fit pass unharmed before it strikes; 0 if not called. */
  public StoreFault afterCalls(int calls) {
    if (calls < 0) {
      throw new IllegalArgumentException("calls is " + calls + "; it must not be negative");
    }
    return new StoreFault(name, what, kind, afterBytes, action, operations, keyPart, calls, times);
  }

  /** How often it strikes; once if not called. */
  public StoreFault times(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("count is " + count + "; it must be at least 1");
    }
    return new StoreFault(
        name, what, kind, afterBytes, action, operations, keyPart, afterCalls, count);
  }

  /** Strikes until it is healed. */
  public StoreFault always() {
    return times(Integer.MAX_VALUE);
  }

  @Override
  public String toString() {
    return name + " at " + operations;
  }

  /** An injected fault that counts. */
  static final class Armed {

    private final StoreFault fault;
    private int passed;
    private int struck;

    Armed(StoreFault fault) {
      this.fault = fault;
    }

    /** Whether it strikes this call; counts the call. */
    synchronized boolean strikes(StoreOperation operation, String key) {
      if (!fault.operations.contains(operation)
          || !key.contains(fault.keyPart)
          || struck >= fault.times) {
        return false;
      }
      if (passed < fault.afterCalls) {
        passed++;
        return false;
      }
      struck++;
      return true;
    }

    /**
     * Strikes.
     *
     * @return after how many bytes the content has to break, or null
     */
    @Nullable Long strike(String subject) throws StoreException {
      switch (fault.what) {
        case RUN -> fault.action.run();
        case BREAK_STREAM -> {
          return fault.afterBytes;
        }
        case THROW ->
            throw new StoreException(
                fault.kind, subject + " failed: " + fault.name + " (injected)", null);
      }
      return null;
    }
  }
}
