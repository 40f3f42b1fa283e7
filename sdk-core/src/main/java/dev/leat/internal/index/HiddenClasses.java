package dev.leat.internal.index;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.constant.ConstantDescs;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;

/**
 * Makes a class of its own around a method handle. A method handle is as fast as code written by
 * hand only where the JIT compiler knows it for a constant; a static final field of a class that
 * exists once per handle is that. The class is hidden: it goes when its last instance goes, and
 * holds no class loader.
 */
final class HiddenClasses {
  private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

  private HiddenClasses() {}

  static RowFactory rowFactory(MethodHandle handle) {
    return (RowFactory) instance(ConstantRowFactory.class, handle);
  }

  static KeyWriter keyWriter(MethodHandle handle) {
    return (KeyWriter) instance(ConstantKeyWriter.class, handle);
  }

  /** The handle that a hidden class was made with. */
  static MethodHandle handleOf(MethodHandles.Lookup hidden) {
    try {
      return MethodHandles.classData(hidden, ConstantDescs.DEFAULT_NAME, MethodHandle.class);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What a user's constructor, setter or accessor threw, as it is. */
  static RuntimeException unchecked(Throwable e) {
    if (e instanceof RuntimeException runtime) {
      return runtime;
    }
    if (e instanceof Error error) {
      throw error;
    }
    return new IllegalStateException("a row or key type threw a checked exception", e);
  }

  private static Object instance(Class<?> template, MethodHandle handle) {
    try (InputStream in = template.getResourceAsStream(template.getSimpleName() + ".class")) {
      if (in == null) {
        throw new IllegalStateException("the class file of " + template.getName() + " is missing");
      }
      MethodHandles.Lookup hidden =
          LOOKUP.defineHiddenClassWithClassData(in.readAllBytes(), handle, true);
      return hidden.lookupClass().getDeclaredConstructor().newInstance();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
