package dev.leat.flink.internal;

import java.io.Serializable;
import java.util.Optional;

/**
 * How a combiner sees a row: as it is in an inner join, as an {@code Optional} in a left join.
 *
 * @param <D> the type of a row
 * @param <R> what the combiner gets
 */
public sealed interface RowView<D, R> extends Serializable {

  /** What the combiner gets for a row. */
  R present(D row);

  /** What the combiner gets where there is no row. */
  R absent();

  /** The kind of join, for names and messages. */
  String joinName();

  /** The row itself; there is no combination without one. */
  record Bare<D>() implements RowView<D, D> {
    @Override
    public D present(D row) {
      return row;
    }

    @Override
    public D absent() {
      throw new IllegalStateException("an inner join has nothing to combine where there is no row");
    }

    @Override
    public String joinName() {
      return "join";
    }
  }

  /**
   * The row, or its absence. A present one costs 16 bytes that die young (the compiler removes them
   * where it inlines the combiner); the absent one is shared.
   */
  record Maybe<D>() implements RowView<D, Optional<D>> {
    @Override
    public Optional<D> present(D row) {
      return Optional.of(row);
    }

    @Override
    public Optional<D> absent() {
      return Optional.empty();
    }

    @Override
    public String joinName() {
      return "left join";
    }
  }
}
