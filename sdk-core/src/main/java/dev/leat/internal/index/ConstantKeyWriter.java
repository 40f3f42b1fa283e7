package dev.leat.internal.index;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;

/**
 * The template of hidden classes, one for each lookup's key type, in which the method handle is a
 * constant. See {@link HiddenClasses}.
 */
final class ConstantKeyWriter implements KeyWriter {
  private static final MethodHandle HANDLE = HiddenClasses.handleOf(MethodHandles.lookup());

  ConstantKeyWriter() {}

  @Override
  public void write(KeyBuffer buffer, Object key) {
    try {
      HANDLE.invokeExact(buffer, key);
    } catch (Throwable e) {
      throw HiddenClasses.unchecked(e);
    }
  }
}
