package dev.leat.internal.filter;

/**
 * Sets of the three truth values of SQL, as bits: what a condition may turn out to be for a row of
 * which not all cells are known. Where all are known, exactly one bit is set.
 */
final class Outcome {
  static final int TRUE = 1;
  static final int FALSE = 2;
  static final int UNKNOWN = 4;
  static final int ANY = TRUE | FALSE | UNKNOWN;

  private Outcome() {}

  static int of(boolean truth) {
    return truth ? TRUE : FALSE;
  }

  static int not(int a) {
    return (a & UNKNOWN) | (a & TRUE) << 1 | (a & FALSE) >>> 1;
  }

  static int and(int a, int b) {
    int both = a & b & TRUE;
    int one = (a | b) & FALSE;
    boolean unknown =
        ((a & UNKNOWN) != 0 && (b & (UNKNOWN | TRUE)) != 0)
            || ((b & UNKNOWN) != 0 && (a & TRUE) != 0);
    return both | one | (unknown ? UNKNOWN : 0);
  }

  static int or(int a, int b) {
    return not(and(not(a), not(b)));
  }
}
