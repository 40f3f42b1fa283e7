package dev.leat.flink.internal;

import dev.leat.flink.Match;
import dev.leat.internal.engine.DimensionReader;
import java.io.Serializable;
import java.util.Optional;

/**
 * How a combiner sees a row: as it is in an inner join, as an {@code Optional} in a left join.
 *
 * @param <D> the type of a row
 * @param <R> what the combiner gets
 */
public sealed interface RowView<D, R> extends Serializable {

  /**
   * What the combiner gets for a row.
   *
   * @param reader that found it
   */
  R present(D row, DimensionReader<?, ?> reader);

  /**
   * What the combiner gets where there is no row.
   *
   * @param reader that found none
   */
  R absent(DimensionReader<?, ?> reader);

  /** Whether there is nothing to combine without a row. */
  boolean needsRow();

  /** The kind of join, for names and messages. */
  String joinName();

  /** The row itself; there is no combination without one. */
  record Bare<D>() implements RowView<D, D> {
    @Override
    public boolean needsRow() {
      return true;
    }

    @Override
    public D present(D row, DimensionReader<?, ?> reader) {
      return row;
    }

    @Override
    public D absent(DimensionReader<?, ?> reader) {
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
    public boolean needsRow() {
      return false;
    }

    @Override
    public Optional<D> present(D row, DimensionReader<?, ?> reader) {
      return Optional.of(row);
    }

    @Override
    public Optional<D> absent(DimensionReader<?, ?> reader) {
      return Optional.empty();
    }

    @Override
    public String joinName() {
      return "left join";
    }
  }

  /** The same with the version beside it: one object more per event. */
  record Versioned<D, R>(RowView<D, R> rows) implements RowView<D, Match<R>> {
    @Override
    public boolean needsRow() {
      return rows.needsRow();
    }

    @Override
    public Match<R> present(D row, DimensionReader<?, ?> reader) {
      return new Match<>(rows.present(row, reader), reader.version());
    }

    @Override
    public Match<R> absent(DimensionReader<?, ?> reader) {
      return new Match<>(rows.absent(reader), reader.version());
    }

    @Override
    public String joinName() {
      return rows.joinName();
    }
  }
}
