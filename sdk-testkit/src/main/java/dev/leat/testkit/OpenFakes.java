package dev.leat.testkit;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The fakes that are open in this JVM, by name: the only thing static here. A configuration that
 * travels through Flink's serialization holds the name and finds the fake again. What is never
 * closed stays here: close fakes, or let the JUnit extension do so.
 *
 * @param <T> the kind of fake
 */
final class OpenFakes<T> {

  static final OpenFakes<InMemoryS3> S3 = new OpenFakes<>();
  static final OpenFakes<InMemoryAlluxio> ALLUXIO = new OpenFakes<>();

  private final ConcurrentMap<String, T> open = new ConcurrentHashMap<>();

  private OpenFakes() {}

  /**
   * Opens a fake under {@code wanted}, or under that with a number where the name is taken by
   * another test.
   */
  String open(String wanted, T fake) {
    String name = wanted;
    for (int number = 2; open.putIfAbsent(name, fake) != null; number++) {
      name = wanted + "-" + number;
    }
    return name;
  }

  T named(String name) {
    T fake = open.get(name);
    if (fake == null) {
      throw new IllegalStateException(
          "No in-memory fake is open under '"
              + name
              + "', only "
              + open.keySet()
              + "; it was closed, or this is another JVM");
    }
    return fake;
  }

  void close(String name) {
    open.remove(name);
  }
}
