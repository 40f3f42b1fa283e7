package dev.leat.benchmarks;

import java.nio.file.Path;
import java.util.Random;

/** An index of the reference table that is mapped from the local disk. */
public final class LocalIndex implements AutoCloseable {
  private final TextCustomers.Ids table;
  private final Path text;
  private final LeatStore<String, TextCustomers.Customer> store;

  private LocalIndex(
      TextCustomers.Ids table, Path text, LeatStore<String, TextCustomers.Customer> store) {
    this.table = table;
    this.text = text;
    this.store = store;
  }

  /** Writes the text into some files, and builds and opens the index. */
  public static LocalIndex build(long rows, Path directory, int files) throws Exception {
    TextCustomers.Ids table = new TextCustomers.Ids(rows);
    Path text = directory.resolve("text");
    table.write(text, files);
    LeatStore<String, TextCustomers.Customer> store =
        new LeatStore<>(table, directory.resolve("index"), text);
    store.load();
    return new LocalIndex(table, text, store);
  }

  /** The files of text. */
  public Path text() {
    return text;
  }

  /** A key that is there. */
  public String someKey() {
    return table.key(Dataset.id(table.rows() / 2));
  }

  /** Adds the times of single lookups of random keys, in microseconds, after some that warm up. */
  public void lookups(int lookups, Medians target, String name) {
    Store.Finder<String, TextCustomers.Customer> finder = store.finder();
    Random random = new Random(3);
    for (int i = 0; i < 2 * lookups; i++) {
      String key = table.key(Dataset.id((long) (random.nextDouble() * table.rows())));
      long start = System.nanoTime();
      TextCustomers.Customer row = finder.find(key);
      long nanos = System.nanoTime() - start;
      if (row == null) {
        throw new IllegalStateException(key + " is not there");
      }
      if (i >= lookups) {
        target.add(name, nanos / 1e3);
      }
    }
  }

  @Override
  public void close() {
    store.close();
  }
}
