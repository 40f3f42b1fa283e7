package dev.leat.flink.internal.coordination;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.runtime.operators.coordination.CoordinationResponse;
import org.apache.flink.streaming.api.operators.collect.CollectCoordinationResponse;

/**
 * An {@link Answer} on its way. A TaskManager takes a response off the wire with Flink's class
 * loader, which does not know the classes of a job: so it travels as bytes in a response class of
 * Flink's own.
 */
final class WireAnswer {

  private WireAnswer() {}

  static CoordinationResponse wrap(Answer answer) {
    try {
      DataOutputSerializer out = new DataOutputSerializer(256);
      BytePrimitiveArraySerializer.INSTANCE.serialize(Codec.bytes(answer), out);
      return new CollectCoordinationResponse("leat", 0, List.of(out.getCopyOfBuffer()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Answer unwrap(CoordinationResponse response) throws IOException {
    if (response instanceof CollectCoordinationResponse wire) {
      return Codec.answer(wire.getResults(BytePrimitiveArraySerializer.INSTANCE).get(0));
    }
    throw new IllegalArgumentException(
        "a response that no coordinator of a join gives: " + response);
  }
}
