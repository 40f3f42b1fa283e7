package dev.leat.internal.engine.build;

/** Is called about once a second on the thread that waits for a build. */
@FunctionalInterface
public interface BuildMonitor {

  /**
   * How far the build is.
   *
   * @param rows rows read so far
   * @param bytes bytes of the source read so far
   * @param done the share of the whole work that is done, from 0 to 1, as far as it can be told
   */
  void tick(long rows, long bytes, double done);
}
