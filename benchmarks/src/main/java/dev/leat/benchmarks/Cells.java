package dev.leat.benchmarks;

import java.math.BigDecimal;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/** The cells of a row that a store has found, by the position of their column. */
interface Cells {
  @Nullable String text(int column);

  @Nullable Integer integer(int column);

  @Nullable LocalDate date(int column);

  @Nullable BigDecimal decimal(int column);
}
