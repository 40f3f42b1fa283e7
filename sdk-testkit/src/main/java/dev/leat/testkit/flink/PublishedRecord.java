package dev.leat.testkit.flink;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A record as it stands in a topic.
 *
 * @param partition its partition
 * @param offset its place in the partition, from 0
 * @param key its key, or null
 * @param value its value
 * @param timestamp its event time in milliseconds
 * @param headers its headers
 */
public record PublishedRecord<T>(
    int partition,
    long offset,
    @Nullable String key,
    T value,
    long timestamp,
    Map<String, String> headers) {

  /** Copies the headers. */
  public PublishedRecord {
    headers = Map.copyOf(headers);
  }
}
