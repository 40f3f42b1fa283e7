package dev.leat.internal.index;

import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import sun.misc.Unsafe;

/**
 * Loads from mapped memory. All offsets are checked by those who call: the shape of a segment when
 * it is opened, places within a block when they are read.
 *
 * <p>{@code sun.misc.Unsafe} is what the JDK before 22 has for that without a check of bounds and
 * liveness per load, and the only way to unmap a file at a known time.
 */
final class Memory {
  private static final Unsafe UNSAFE = unsafe();
  private static final boolean BIG_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN;
  private static final long BYTES_OFFSET = Unsafe.ARRAY_BYTE_BASE_OFFSET;
  private static final long ADDRESS_FIELD = addressField();

  private Memory() {}

  private static Unsafe unsafe() {
    try {
      Field field = Unsafe.class.getDeclaredField("theUnsafe");
      field.setAccessible(true);
      return (Unsafe) field.get(null);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static long addressField() {
    try {
      return UNSAFE.objectFieldOffset(java.nio.Buffer.class.getDeclaredField("address"));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** The address of the first byte of a direct buffer. */
  static long address(ByteBuffer buffer) {
    if (!buffer.isDirect()) {
      throw new IllegalArgumentException("only a direct buffer has an address");
    }
    return UNSAFE.getLong(buffer, ADDRESS_FIELD);
  }

  static int loadByte(long address) {
    return UNSAFE.getByte(address) & 0xff;
  }

  static long loadLong(long address) {
    long value = UNSAFE.getLong(address);
    return BIG_ENDIAN ? Long.reverseBytes(value) : value;
  }

  /** Copies some bytes; whoever calls it knows that they fit. */
  static void copy(long address, byte[] target, int offset, int length) {
    UNSAFE.copyMemory(null, address, target, BYTES_OFFSET + offset, length);
  }

  /** Frees a direct buffer, or unmaps a mapped one. Nobody may use it any more. */
  static void free(ByteBuffer buffer) {
    UNSAFE.invokeCleaner(buffer);
  }
}
