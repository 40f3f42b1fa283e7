package dev.leat.it.simulation;

import java.util.List;

/**
 * How the run of a seed ended.
 *
 * @param findings what must not be; empty where all is well
 * @param trace what happened
 * @param hash the same for two runs in which the same happened
 */
record Outcome(long seed, List<Finding> findings, List<String> trace, String hash) {

  /** How many findings are of a kind. */
  long count(Finding.Kind kind) {
    return findings.stream().filter(finding -> finding.kind() == kind).count();
  }
}
