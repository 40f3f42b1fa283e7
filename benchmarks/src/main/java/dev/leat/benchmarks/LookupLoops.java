package dev.leat.benchmarks;

import dev.leat.benchmarks.Store.Finder;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * The loops over a finder. Each store gets a class of its own from these bytes, so that the JIT
 * compiler knows in each that it meets one kind of finder only, as in a job with one join; shared
 * loops would be slower for everybody, by an amount that depends on the order of the stores.
 */
final class LookupLoops<K, D> implements Loops {
  private static final int BATCH = 64;

  private final Dataset<K, D> dataset;
  private final Finder<K, D> finder;
  private long used;

  LookupLoops(Dataset<K, D> dataset, Finder<K, D> finder) {
    this.dataset = dataset;
    this.finder = finder;
  }

  /** A class of its own for one store. */
  static final class Factory {
    private final Class<?> own;

    Factory() {
      String name = LookupLoops.class.getSimpleName() + ".class";
      try (InputStream bytes = LookupLoops.class.getResourceAsStream(name)) {
        if (bytes == null) {
          throw new IllegalStateException("there is no " + name + " in the class path");
        }
        own = MethodHandles.lookup().defineHiddenClass(bytes.readAllBytes(), true).lookupClass();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (IllegalAccessException e) {
        throw new IllegalStateException(e);
      }
    }

    Loops loops(Dataset<?, ?> dataset, Finder<?, ?> finder) {
      try {
        return (Loops)
            MethodHandles.lookup()
                .findConstructor(
                    own, MethodType.methodType(void.class, Dataset.class, Finder.class))
                .invoke(dataset, finder);
      } catch (Throwable e) {
        throw new IllegalStateException("cannot make the loops", e);
      }
    }
  }

  @Override
  public int independent(byte[] keys, int from, int count) {
    int length = dataset.packedBytes();
    int hits = 0;
    long sum = 0;
    for (int i = from; i < from + count; i++) {
      D row = finder.find(dataset.unpack(keys, i * length));
      if (row != null) {
        sum += dataset.used(row);
        hits++;
      }
    }
    used += sum;
    return hits;
  }

  @Override
  public int dependent(byte[] keys, int from, int count) {
    int length = dataset.packedBytes();
    int hits = 0;
    long sum = 0;
    int at = from;
    for (int i = from; i < from + count; i++) {
      D row = finder.find(dataset.unpack(keys, at * length));
      int own = row == null ? 0 : dataset.used(row);
      sum += own;
      hits += row == null ? 0 : 1;
      // Always one further, which the processor cannot know before the row is there.
      at = i + 1 + (own >>> 20);
      at = at == from + count ? from : at;
    }
    used += sum;
    return hits;
  }

  @Override
  @SuppressWarnings("unchecked") // Filled with keys of the dataset before any is read.
  public int batched(byte[] keys, int from, int count) {
    int length = dataset.packedBytes();
    K[] batch = (K[]) java.lang.reflect.Array.newInstance(dataset.keyType(), BATCH);
    @Nullable D[] rows = (D[]) java.lang.reflect.Array.newInstance(dataset.rowType(), BATCH);
    int hits = 0;
    long sum = 0;
    for (int i = from; i < from + count; i += BATCH) {
      int size = Math.min(BATCH, from + count - i);
      for (int j = 0; j < size; j++) {
        batch[j] = dataset.unpack(keys, (i + j) * length);
      }
      finder.findBatch(batch, rows, size);
      for (int j = 0; j < size; j++) {
        D row = rows[j];
        if (row != null) {
          sum += dataset.used(row);
          hits++;
        }
      }
    }
    used += sum;
    return hits;
  }

  @Override
  public long used() {
    return used;
  }
}
