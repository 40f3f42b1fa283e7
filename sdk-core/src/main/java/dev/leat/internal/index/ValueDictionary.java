package dev.leat.internal.index;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The distinct values of a column while it is being read, numbered in the order in which they came.
 * Thread-safe: values are found without a lock, and added under one. Gives up once there are more
 * than {@link #LIMIT}, or than {@link #MAX_BYTES} of them, which does not depend on the order of
 * the threads.
 */
final class ValueDictionary {
  /** The most distinct values of a column that is held as numbers into a dictionary. */
  static final int LIMIT = 1 << 16;

  /** The longest value that a dictionary takes; a longer one makes it give up. */
  static final int MAX_VALUE_LENGTH = 1024;

  /**
   * The most bytes of all values together: what bounds the heap that a column of long values takes.
   */
  static final int MAX_BYTES = 16 << 20;

  /** Says that the value is not in the dictionary and cannot be added. */
  static final int NONE = -1;

  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(int[].class);

  /**
   * Nobody can know it, so nobody can choose values that meet in one place. The numbers do not
   * last, so it leaves no trace in the index.
   */
  private final long seed = new SplittableRandom().nextLong();

  private volatile Table table = new Table(64);
  private volatile boolean overflowed;
  private int size;
  private int bytesOfValues;

  /** Whether there were too many values. */
  boolean overflowed() {
    return overflowed;
  }

  /**
   * The number of a value, from 0, which is added if it is new; {@link #NONE} once there are too
   * many.
   */
  int code(byte[] bytes, int offset, int length) {
    if (overflowed) {
      return NONE;
    }
    long hash = Hashing.bytes(bytes, offset, length, seed);
    int code = table.find(hash, bytes, offset, length);
    return code != NONE ? code : add(hash, bytes, offset, length);
  }

  /** The number of a value if it is there and there are not too many. */
  int find(byte[] bytes, int offset, int length) {
    return overflowed
        ? NONE
        : table.find(Hashing.bytes(bytes, offset, length, seed), bytes, offset, length);
  }

  private synchronized int add(long hash, byte[] bytes, int offset, int length) {
    Table current = table;
    int code = current.find(hash, bytes, offset, length);
    if (code != NONE) {
      return code;
    }
    if (overflowed
        || size == LIMIT
        || length > MAX_VALUE_LENGTH
        || bytesOfValues > MAX_BYTES - length) {
      overflowed = true;
      return NONE;
    }
    bytesOfValues += length;
    if (size == current.values.length) {
      current = current.twice(size);
      current.put(hash, Arrays.copyOfRange(bytes, offset, offset + length), size);
      table = current;
    } else {
      current.put(hash, Arrays.copyOfRange(bytes, offset, offset + length), size);
    }
    return size++;
  }

  /** How many values there are. */
  synchronized int size() {
    return size;
  }

  /** The value of a number that {@link #code} gave. */
  byte[] value(int code) {
    byte[] value = table.values[code];
    if (value == null) {
      throw new IllegalStateException("no value has the number " + code);
    }
    return value;
  }

  /** Linear probing over at most half full slots, each a number plus 1. */
  private static final class Table {
    final byte[] @Nullable [] values;
    final long[] hashes;
    final int[] slots;

    Table(int capacity) {
      values = new byte[capacity][];
      hashes = new long[capacity];
      slots = new int[capacity * 2];
    }

    int find(long hash, byte[] bytes, int offset, int length) {
      int mask = slots.length - 1;
      for (int i = (int) hash & mask; ; i = (i + 1) & mask) {
        int slot = (int) SLOT.getAcquire(slots, i);
        if (slot == 0) {
          return NONE;
        }
        byte[] value = values[slot - 1];
        if (hashes[slot - 1] == hash
            && value != null
            && Arrays.equals(value, 0, value.length, bytes, offset, offset + length)) {
          return slot - 1;
        }
      }
    }

    void put(long hash, byte[] value, int code) {
      values[code] = value;
      hashes[code] = hash;
      int mask = slots.length - 1;
      int i = (int) hash & mask;
      while (slots[i] != 0) {
        i = (i + 1) & mask;
      }
      SLOT.setRelease(slots, i, code + 1);
    }

    Table twice(int size) {
      Table larger = new Table(values.length * 2);
      for (int code = 0; code < size; code++) {
        byte[] value = values[code];
        if (value != null) {
          larger.put(hashes[code], value, code);
        }
      }
      return larger;
    }
  }
}
