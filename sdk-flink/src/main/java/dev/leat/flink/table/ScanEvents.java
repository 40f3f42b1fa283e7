package dev.leat.flink.table;

import java.util.List;
import org.apache.flink.api.connector.source.SourceEvent;

/** What the enumerator and the readers of a scan tell each other. */
final class ScanEvents {
  private ScanEvents() {}

  /**
   * Asks a reader which parts the table has. The enumerator does not look itself: it runs on the
   * JobManager, and stores and credentials are those of the TaskManagers.
   */
  record Look() implements SourceEvent {}

  /**
   * The answer.
   *
   * @param splits the parts of the table
   */
  record Found(List<ScanSplit> splits) implements SourceEvent {}
}
