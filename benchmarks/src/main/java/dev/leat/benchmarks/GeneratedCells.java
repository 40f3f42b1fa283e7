package dev.leat.benchmarks;

import java.math.BigDecimal;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/** The cells as the dataset makes them. */
record GeneratedCells(Dataset<?, ?> dataset, long row) implements Cells {
  @Override
  public @Nullable String text(int column) {
    return (String) dataset.cell(row, column);
  }

  @Override
  public @Nullable Integer integer(int column) {
    return (Integer) dataset.cell(row, column);
  }

  @Override
  public @Nullable LocalDate date(int column) {
    return (LocalDate) dataset.cell(row, column);
  }

  @Override
  public @Nullable BigDecimal decimal(int column) {
    return (BigDecimal) dataset.cell(row, column);
  }
}
