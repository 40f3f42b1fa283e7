package dev.leat.internal.engine.build;

/** Is called about once a second on the thread that waits for a build. */
@FunctionalInterface
public interface BuildMonitor {

  /**
   * How far the build is.
   *
   * @param rows rows read so far
   * @param bytes bytes of the source read so far
   */
  void tick(long rows, long bytes);
}
