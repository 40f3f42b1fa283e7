package dev.leat.testkit.flink;

import static java.util.Objects.requireNonNull;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A record to be written to a topic. Begin with {@link #of}.
 *
 * @param value its value
 * @param key its key, which decides its partition, or null
 * @param timestamp its event time in milliseconds, or null for the time at which it is written (in
 *     a sink: for the timestamp that it has in the stream)
 * @param partition the partition to write to, or null to leave that to the key
 * @param headers its headers
 */
public record TopicRecord<T>(
    T value,
    @Nullable String key,
    @Nullable Long timestamp,
    @Nullable Integer partition,
    Map<String, String> headers) {

  /** Copies the headers. */
  public TopicRecord {
    requireNonNull(value, "value");
    headers = Map.copyOf(headers);
  }

  /** A record of nothing but a value. */
  public static <T> TopicRecord<T> of(T value) {
    return new TopicRecord<>(value, null, null, null, Map.of());
  }

  /** The same with a key. */
  public TopicRecord<T> withKey(String newKey) {
    return new TopicRecord<>(
        value, requireNonNull(newKey, "newKey"), timestamp, partition, headers);
  }

  /** The same with an event time in milliseconds. */
  public TopicRecord<T> withTimestamp(long millis) {
    return new TopicRecord<>(value, key, millis, partition, headers);
  }

  /** The same for a given partition. */
  public TopicRecord<T> inPartition(int number) {
    return new TopicRecord<>(value, key, timestamp, number, headers);
  }

  /** The same with one more header. */
  public TopicRecord<T> withHeader(String name, String text) {
    Map<String, String> all = new LinkedHashMap<>(headers);
    all.put(requireNonNull(name, "name"), requireNonNull(text, "text"));
    return new TopicRecord<>(value, key, timestamp, partition, all);
  }
}
