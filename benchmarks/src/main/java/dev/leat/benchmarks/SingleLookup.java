package dev.leat.benchmarks;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One lookup of a random key of the reference table, with a few stores. The keys are made before,
 * other than in {@code lookup}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = "-Xmx2g")
public class SingleLookup {
  private static final int KEYS = 1 << 20;

  @Param({"1000000"})
  long rows;

  @Param({"leat", "sparkey", "hashmap"})
  String store = StoreKind.LEAT.label();

  private final String[] present = new String[KEYS];
  private final String[] absent = new String[KEYS];
  private int next;
  private @Nullable Path directory;
  private @Nullable Store<String, TextCustomers.Customer> opened;
  private Store.@Nullable Finder<String, TextCustomers.Customer> finder;

  /** Builds the store. */
  @Setup(Level.Trial)
  public void open() throws Exception {
    TextCustomers.Ids table = new TextCustomers.Ids(rows);
    directory = Files.createTempDirectory("leat-jmh-");
    Path text = directory.resolve("text");
    table.write(text, 8);
    opened = StoreKind.of(store).open(table, directory, text);
    opened.load();
    finder = opened.finder();
    Random random = new Random(42);
    for (int i = 0; i < KEYS; i++) {
      long row = (long) (random.nextDouble() * rows);
      present[i] = table.key(Dataset.id(row));
      absent[i] = table.key(Dataset.absentId(row));
    }
  }

  /** Deletes it. */
  @TearDown(Level.Trial)
  public void close() throws Exception {
    if (opened != null) {
      opened.close();
    }
    if (directory != null) {
      WorkDirectory.delete(directory);
    }
  }

  @Benchmark
  public @Nullable Object hit() {
    return find(present);
  }

  @Benchmark
  public @Nullable Object miss() {
    return find(absent);
  }

  private @Nullable Object find(String[] keys) {
    next = next + 1 & KEYS - 1;
    return finder == null ? null : finder.find(keys[next]);
  }
}
