package dev.leat.internal.index;

/**
 * How a row object is made from the cells of a row, where its class says nothing of the columns, as
 * with SQL's rows. Called by the thread of the lookup that it was given to.
 *
 * @param <D> the type of a row
 */
public interface RowShape<D> {

  /**
   * Makes a row. The cells are valid during the call only.
   *
   * @param cells the cells, by the position of their column in the index
   */
  D row(Cells cells);
}
