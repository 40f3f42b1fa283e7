package dev.leat.samples.streamedge.show;

import java.util.ArrayList;
import java.util.List;

/**
 * What the independent check has found.
 *
 * @param sent plays that Kafka confirmed
 * @param events output events, all of which were compared
 * @param matched those with a customer
 * @param nullKeys those whose play names no customer
 * @param wrong those that differ from the independent join, or are no play
 * @param lost plays that are not in the output
 * @param doubled output events beyond the first of a play
 * @param backwards output events of an older edition than one before them in the same partition
 * @param versions the editions that the output has
 * @param examples some of the wrong ones
 */
record Verdict(
    long sent,
    long events,
    long matched,
    long nullKeys,
    long wrong,
    long lost,
    long doubled,
    long backwards,
    List<Integer> versions,
    List<String> examples) {

  /**
   * Whether each play is in the output once, with the right row.
   *
   * @param restarts how often the job was restarted; after a restart an older edition may come back
   */
  boolean isGood(long restarts) {
    return events > 0
        && wrong == 0
        && lost == 0
        && doubled == 0
        && (backwards == 0 || restarts > 0);
  }

  /** The same in words. */
  List<String> sentences(long restarts) {
    List<String> sentences = new ArrayList<>();
    sentences.add(
        wrong == 0
            ? "each event has the row of exactly the edition that it names, or none where the table has none"
            : wrong + " events are wrong, e.g. " + examples);
    sentences.add(lost == 0 ? "no play is lost" : lost + " plays are lost");
    sentences.add(doubled == 0 ? "none is there twice" : doubled + " events are there twice");
    sentences.add(
        backwards == 0
            ? "within a partition no event has an older edition than one before it"
            : backwards
                + " events have an older edition than one before them in their partition, with "
                + restarts
                + " restarts of the job");
    sentences.add(isGood(restarts) ? "All is right." : "NOT all is right.");
    return sentences;
  }
}
