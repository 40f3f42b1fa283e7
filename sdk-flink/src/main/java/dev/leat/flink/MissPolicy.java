package dev.leat.flink;

import static java.util.Objects.requireNonNull;

import dev.leat.flink.internal.Misses;
import org.apache.flink.util.OutputTag;

/**
 * What becomes of an event whose key has no row. A null key never has one. Immutable.
 *
 * <p>Start at {@link #drop()}, {@link #keep()} or {@link #toSideOutput(OutputTag)}.
 *
 * @param <E> the type of the events
 */
public final class MissPolicy<E> {
  private final Misses<E> misses;

  private MissPolicy(Misses<E> misses) {
    this.misses = misses;
  }

  /** The event goes nowhere; it is counted. The default of {@code join}. */
  public static <E> MissPolicy<E> drop() {
    return new MissPolicy<>(new Misses.Drop<>());
  }

  /**
   * The event is combined with an empty {@code Optional}. The default of {@code leftJoin}, and
   * possible there only.
   */
  public static <E> MissPolicy<E> keep() {
    return new MissPolicy<>(new Misses.Keep<>());
  }

  /**
   * The event itself, with its timestamp, goes to a side output instead of the main one; read it
   * with {@code getSideOutput(tag)} on what {@code combine} returns.
   *
   * @param tag the side output, an anonymous subclass as Flink wants it: {@code new
   *     OutputTag<VideoPlay>("misses") {}}
   */
  public static <E> MissPolicy<E> toSideOutput(OutputTag<E> tag) {
    return new MissPolicy<>(new Misses.ToSideOutput<>(requireNonNull(tag, "tag")));
  }

  Misses<E> misses() {
    return misses;
  }

  /** The policy and, where there is one, the side output's id. */
  @Override
  public String toString() {
    return misses.toString();
  }
}
