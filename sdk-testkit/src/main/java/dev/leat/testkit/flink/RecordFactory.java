package dev.leat.testkit.flink;

import java.io.Serializable;

/**
 * Says how a sink writes a value, e.g. {@code play -> TopicRecord.of(play).withKey(play.id())}.
 *
 * @param <T> the type of the values
 */
@FunctionalInterface
public interface RecordFactory<T> extends Serializable {

  /** The record to write for a value. */
  TopicRecord<T> recordOf(T value);
}
