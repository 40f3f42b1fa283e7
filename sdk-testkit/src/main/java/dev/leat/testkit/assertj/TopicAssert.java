package dev.leat.testkit.assertj;

import dev.leat.testkit.flink.InMemoryTopic;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.assertj.core.api.AbstractAssert;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ListAssert;

/**
 * Assertions on a topic.
 *
 * @param <T> the type of the values
 */
public final class TopicAssert<T> extends AbstractAssert<TopicAssert<T>, InMemoryTopic<T>> {

  TopicAssert(InMemoryTopic<T> actual) {
    super(actual, TopicAssert.class);
  }

  /** Goes on with the committed values, as a list. */
  public ListAssert<T> committedValues() {
    isNotNull();
    return Assertions.assertThat(actual.committedValues()).as("committed values of %s", actual);
  }

  /** Everything that a job has written is committed. */
  public TopicAssert<T> hasNothingUncommitted() {
    isNotNull();
    if (actual.uncommitted() != 0) {
      failWithMessage(
          "Expected nothing uncommitted in %s but %d records wait for a checkpoint",
          actual, actual.uncommitted());
    }
    return this;
  }

  /**
   * Each of the expected identities is committed once: none is lost, none doubled, none invented.
   *
   * @param identity what tells values apart, e.g. the id of an event
   */
  @SafeVarargs
  public final <I> TopicAssert<T> hasExactlyOnce(Function<? super T, I> identity, I... expected) {
    return hasExactlyOnce(identity, List.of(expected));
  }

  /** The same for many. */
  public <I> TopicAssert<T> hasExactlyOnce(Function<? super T, I> identity, Iterable<I> expected) {
    isNotNull();
    Map<I, Integer> difference = new HashMap<>();
    expected.forEach(id -> difference.merge(id, -1, Integer::sum));
    actual
        .committedValues()
        .forEach(value -> difference.merge(identity.apply(value), 1, Integer::sum));
    List<I> lost = new ArrayList<>();
    List<I> tooMany = new ArrayList<>();
    difference.forEach(
        (id, count) -> {
          if (count < 0) {
            lost.add(id);
          } else if (count > 0) {
            tooMany.add(id);
          }
        });
    if (!lost.isEmpty() || !tooMany.isEmpty()) {
      failWithMessage(
          "Expected each record exactly once in %s but %d are lost: %s%nand %d are doubled or not expected: %s",
          actual, lost.size(), some(lost), tooMany.size(), some(tooMany));
    }
    return this;
  }

  private static String some(List<?> all) {
    return all.size() <= 20 ? all.toString() : all.subList(0, 20) + " …";
  }
}
