package dev.leat.internal.engine.schedule;

import java.io.Serializable;
import java.time.LocalDateTime;
import org.jspecify.annotations.Nullable;

/** Recurring times as a clock on the wall shows them. Immutable. */
public interface LocalTimes extends Serializable {

  /** The first of them that is not before {@code from}; null if there is none. */
  @Nullable LocalDateTime atOrAfter(LocalDateTime from);

  /**
   * Whether they come again in each hour or every few hours, so that they count on while the clock
   * is put back; times that are fixed come once then.
   */
  boolean runOn();
}
