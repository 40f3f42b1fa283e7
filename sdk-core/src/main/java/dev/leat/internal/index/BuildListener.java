package dev.leat.internal.index;

/** Is told how far a build is, on the threads that build; must return quickly. */
public interface BuildListener {

  /**
   * How much of the source has been read. Called at most about once per 64 Ki rows of a split and
   * at the end of each split.
   *
   * @param rows the rows so far, malformed ones included
   * @param bytes the bytes of the source files so far
   */
  void progress(long rows, long bytes);

  /**
   * How much is done of what follows when all is read: distributing and writing.
   *
   * @param share from 0 to 1, rising
   */
  void finishing(double share);

  /** Listens to nothing. */
  static BuildListener none() {
    return new BuildListener() {
      @Override
      public void progress(long rows, long bytes) {}

      @Override
      public void finishing(double share) {}
    };
  }
}
