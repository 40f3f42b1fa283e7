package dev.leat.internal.index;

/**
 * Is told how far a build is. Called from the threads that build, at most about once per 64 Ki rows
 * of a split and at the end of each split; must return quickly.
 */
@FunctionalInterface
public interface BuildListener {

  /**
   * How much of the source has been read.
   *
   * @param rows the rows so far, malformed ones included
   * @param bytes the bytes of the source files so far
   */
  void progress(long rows, long bytes);
}
