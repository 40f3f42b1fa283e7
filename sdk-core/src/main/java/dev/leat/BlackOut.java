package dev.leat;

import static java.util.Objects.requireNonNull;

import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Recurring windows in which a source is left alone, such as those in which its tables are written.
 * Immutable.
 *
 * <pre>{@code
 * BlackOut.beginning("0 22 * * MON-FRI", ZoneId.of("Europe/Berlin")).lasting(Duration.ofHours(3))
 * }</pre>
 */
public final class BlackOut implements Serializable {
  private static final long serialVersionUID = 1L;

  private final Schedule begins;
  private final Duration length;

  private BlackOut(Schedule begins, Duration length) {
    this.begins = begins;
    this.length = length;
  }

  /**
   * Says when the windows begin.
   *
   * @param expression as for {@link Schedule#cron}
   */
  public static Beginning beginning(String expression, ZoneId zone) {
    return beginning(Schedule.cron(expression, zone));
  }

  /** Says when the windows begin. */
  public static Beginning beginning(Schedule schedule) {
    return new Beginning(requireNonNull(schedule, "schedule"));
  }

  /** When windows begin; next how long they last. */
  public static final class Beginning {
    private final Schedule schedule;

    private Beginning(Schedule schedule) {
      this.schedule = schedule;
    }

    /**
     * Says how long each window lasts: time that passes, whatever the clocks of the zone show
     * meanwhile.
     */
    public BlackOut lasting(Duration length) {
      requireNonNull(length, "length");
      if (length.isNegative() || length.isZero()) {
        throw new IllegalArgumentException(
            "a black-out of " + length + " has no length; give a positive duration");
      }
      return new BlackOut(schedule, length);
    }
  }

  /** When the windows begin. */
  public Schedule begins() {
    return begins;
  }

  /** How long each lasts. */
  public Duration length() {
    return length;
  }

  /**
   * The end of the window that a moment is in, or empty if it is in none. Windows that begin before
   * another one ends may follow it.
   */
  public Optional<Instant> endAt(Instant moment) {
    return begins
        .next(requireNonNull(moment, "moment").minus(length))
        .filter(begin -> !begin.isAfter(moment))
        .map(begin -> begin.plus(length));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof BlackOut that
        && begins.equals(that.begins)
        && length.equals(that.length);
  }

  @Override
  public int hashCode() {
    return begins.hashCode() * 31 + length.hashCode();
  }

  @Override
  public String toString() {
    return begins + " for " + length;
  }
}
