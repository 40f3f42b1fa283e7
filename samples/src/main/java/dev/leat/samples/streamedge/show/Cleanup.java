package dev.leat.samples.streamedge.show;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Ends what was started, the last first. Thread-safe; each thing is ended once.
 *
 * <p>One that was made by {@link #alsoOnShutdown} also does so when somebody presses Ctrl-C: it is
 * for what would outlive this process, and for nothing that might wait for others to end well.
 */
final class Cleanup implements AutoCloseable {

  private final Deque<Step> steps = new ArrayDeque<>();
  private boolean closed;

  private record Step(String what, AutoCloseable end) {}

  static Cleanup alsoOnShutdown() {
    Cleanup cleanup = new Cleanup();
    Runtime.getRuntime().addShutdownHook(new Thread(cleanup::close, "cleanup"));
    return cleanup;
  }

  /** Takes over what has been started; ends it at once where the end has begun already. */
  synchronized <T extends AutoCloseable> T add(String what, T started) {
    steps.push(new Step(what, started));
    if (closed) {
      close();
    }
    return started;
  }

  @Override
  public synchronized void close() {
    closed = true;
    while (!steps.isEmpty()) {
      Step step = steps.pop();
      try {
        step.end.close();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        System.err.println("interrupted while " + step.what + " ended");
      } catch (Exception e) { // whatever it is, the rest must be ended too
        System.err.println(step.what + " did not end well: " + e);
      }
    }
  }
}
