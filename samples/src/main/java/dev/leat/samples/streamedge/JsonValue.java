package dev.leat.samples.streamedge;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.jspecify.annotations.Nullable;

/**
 * A Kafka record's value as one JSON object per record of the given type. Thread-safe.
 *
 * @param <T> a record
 */
public final class JsonValue<T> implements SerializationSchema<T>, DeserializationSchema<T> {
  private static final long serialVersionUID = 1L;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Class<T> type;

  private JsonValue(Class<T> type) {
    this.type = type;
  }

  /** The JSON form of a record. */
  public static <T> JsonValue<T> of(Class<T> type) {
    return new JsonValue<>(type);
  }

  @Override
  public byte[] serialize(T value) {
    try {
      return MAPPER.writeValueAsBytes(value);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not writable as JSON: " + value, e);
    }
  }

  @Override
  public T deserialize(byte[] json) throws IOException {
    return MAPPER.readValue(json, type);
  }

  @Override
  public boolean isEndOfStream(@Nullable T next) {
    return false;
  }

  @Override
  public TypeInformation<T> getProducedType() {
    return TypeInformation.of(type);
  }
}
