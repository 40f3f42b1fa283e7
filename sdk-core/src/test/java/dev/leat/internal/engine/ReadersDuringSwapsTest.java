package dev.leat.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leat.DataSize;
import dev.leat.event.DimensionEvent;
import dev.leat.internal.engine.EngineWorld.Customer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Readers that look up, advance, come and go while versions are swapped, retired and unmapped. A
 * load from an unmapped file would end this process; a row of another version than the reader's
 * fails the test. {@code -Dleat.stress.versions} makes it longer.
 */
class ReadersDuringSwapsTest {
  private static final int ROWS = 500;
  private static final int READERS = 4;
  private static final int VERSIONS = Integer.getInteger("leat.stress.versions", 25);

  @TempDir Path disk;

  @Test
  void eachReaderSeesOneWholeVersionAtATimeAndNothingStaysMapped() throws Exception {
    long seed = new Random().nextLong();
    AtomicBoolean done = new AtomicBoolean();
    AtomicLong lookups = new AtomicLong();
    ExecutorService threads = Executors.newFixedThreadPool(READERS);
    try (EngineWorld world = new EngineWorld(disk)) {
      world.source.put(EngineWorld.TABLE + "a.txt", table(0));
      DimensionService<String, Customer> service = world.open(world.request());
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        int number = i;
        running.add(
            threads.submit(() -> read(service, new Random(seed + number), number, done, lookups)));
      }
      for (int version = 1; version < VERSIONS; version++) {
        world.source.put(EngineWorld.TABLE + "a.txt", table(version));
        world.refresh(service);
        long before = lookups.get();
        // Some lookups in each version, while the one before it goes.
        await()
            .atMost(Duration.ofMinutes(2))
            .until(
                () -> lookups.get() > before + 2000 || running.stream().anyMatch(Future::isDone));
      }
      done.set(true);
      for (Future<?> reader : running) {
        reader.get(2, TimeUnit.MINUTES);
      }
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> world.events(DimensionEvent.VersionRetired.class).size() >= VERSIONS - 1);
      assertThat(Leftovers.mappingsBelow(disk).stream().map(line -> line.replaceAll(".*/", "")))
          .as("seed %s: only the served version is mapped", seed)
          .doesNotHaveDuplicates();
    } catch (Exception | AssertionError e) {
      e.addSuppressed(new AssertionError("the seed was " + seed));
      throw e;
    } finally {
      done.set(true);
      threads.shutdown();
      assertThat(threads.awaitTermination(2, TimeUnit.MINUTES)).isTrue();
    }
    assertThat(Leftovers.mappingsBelow(disk)).as("seed %s", seed).isEmpty();
    assertThat(Leftovers.openFilesBelow(disk)).as("seed %s", seed).isEmpty();
  }

  private static String table(int version) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < ROWS; i++) {
      text.append(i).append('|').append("version ").append(version).append('\n');
    }
    return text.toString();
  }

  private static @Nullable Void read(
      DimensionService<String, Customer> service,
      Random random,
      int number,
      AtomicBoolean done,
      AtomicLong lookups) {
    while (!done.get()) {
      // One of them keeps hot rows.
      try (DimensionReader<String, Customer> reader =
          number == 0 ? service.reader(DataSize.ofBytes(20_000)) : service.reader()) {
        int steps = 1 + random.nextInt(200);
        for (int step = 0; step < steps; step++) {
          if (random.nextInt(4) == 0) {
            reader.advance();
          }
          String first = null;
          for (int i = 0; i < 20; i++) {
            Customer row = reader.find(Integer.toString(random.nextInt(ROWS)));
            first = same(first, row);
          }
          String[] keys = new String[1 + random.nextInt(100)];
          for (int i = 0; i < keys.length; i++) {
            keys[i] = Integer.toString(random.nextInt(ROWS));
          }
          @Nullable Customer[] rows = new Customer[keys.length];
          reader.findBatch(keys, rows, keys.length);
          for (int i = 0; i < rows.length; i++) {
            first = same(first, rows[i]);
            assertThat(rows[i].id()).isEqualTo(keys[i]);
          }
          List<Customer> all = new ArrayList<>();
          assertThat(reader.findAll(keys[0], all::add)).isEqualTo(1);
          same(first, all.get(0));
          lookups.addAndGet(21L + keys.length);
        }
      }
    }
    return null;
  }

  private static String same(@Nullable String version, @Nullable Customer row) {
    assertThat(row).isNotNull();
    if (version != null) {
      assertThat(row.name()).isEqualTo(version);
    }
    return row.name();
  }
}
