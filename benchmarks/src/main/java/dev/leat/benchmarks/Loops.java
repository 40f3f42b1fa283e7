package dev.leat.benchmarks;

/**
 * The loops that are timed, over a window of the keys. All give the number of rows that were found,
 * and belong to one thread.
 */
interface Loops {

  /** Independent keys, of which the processor can have several in flight. */
  int independent(byte[] keys, int from, int count);

  /** Keys each of whose addresses depends on the last result. */
  int dependent(byte[] keys, int from, int count);

  /** Many keys per call. */
  int batched(byte[] keys, int from, int count);

  /** What was read from the results, so that none of it can be left out. */
  long used();
}
