package dev.leat.internal.index;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;

/**
 * The template of hidden classes, one for each lookup's types, in which the method handle is a
 * constant, so that the JIT compiler sees through it. See {@link HiddenClasses}.
 */
final class ConstantRowFactory implements RowFactory {
  private static final MethodHandle HANDLE = HiddenClasses.handleOf(MethodHandles.lookup());

  ConstantRowFactory() {}

  @Override
  public boolean readsKeyBytes() {
    return false;
  }

  @Override
  public Object row(RowCursor cursor, long word, KeyBuffer keyBytes, Object key) {
    try {
      return (Object) HANDLE.invokeExact(cursor, word, key);
    } catch (Throwable e) {
      throw HiddenClasses.unchecked(e);
    }
  }
}
