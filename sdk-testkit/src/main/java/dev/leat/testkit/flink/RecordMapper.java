package dev.leat.testkit.flink;

import java.io.Serializable;

/**
 * Says what a source gives for a record.
 *
 * @param <T> the type of the topic's values
 * @param <R> the type of what the source gives
 */
@FunctionalInterface
public interface RecordMapper<T, R> extends Serializable {

  /** What the source gives for a record. */
  R map(PublishedRecord<T> record);
}
