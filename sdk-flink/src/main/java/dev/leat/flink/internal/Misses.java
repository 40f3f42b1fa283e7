package dev.leat.flink.internal;

import java.io.Serializable;
import org.apache.flink.util.OutputTag;

/** What the operator does with an event that found no row. */
public sealed interface Misses<E> extends Serializable {

  /** The event ends here. */
  record Drop<E>() implements Misses<E> {
    @Override
    public String toString() {
      return "drop";
    }
  }

  /** The event is combined with the absent row. */
  record Keep<E>() implements Misses<E> {
    @Override
    public String toString() {
      return "keep";
    }
  }

  /**
   * The event goes to a side output.
   *
   * @param tag names it
   */
  record ToSideOutput<E>(OutputTag<E> tag) implements Misses<E> {
    @Override
    public String toString() {
      return "to side output '" + tag.getId() + "'";
    }
  }
}
