package dev.leat.internal.index;

/**
 * Makes a value of a cell's bytes. Thread-safe.
 *
 * @param <T> the type of the value, which may be shared by threads
 */
@FunctionalInterface
public interface CellConverter<T> {

  /**
   * Makes the value.
   *
   * @param bytes a text as UTF-8, or other bytes; the value may keep the array, and nobody changes
   *     it
   */
  T convert(byte[] bytes);
}
