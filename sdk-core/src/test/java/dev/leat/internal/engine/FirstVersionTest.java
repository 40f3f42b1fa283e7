package dev.leat.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leat.DataSize;
import dev.leat.Dimension;
import dev.leat.DuplicateKeys;
import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.LocalDisk;
import dev.leat.MalformedRows;
import dev.leat.Staleness;
import dev.leat.event.DimensionEvent;
import dev.leat.event.DimensionEvent.Origin;
import dev.leat.event.DimensionStatistics;
import dev.leat.format.DelimitedText;
import dev.leat.internal.engine.EngineWorld.Customer;
import dev.leat.spi.StoreException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FirstVersionTest {
  @TempDir Path disk;
  private EngineWorld world;

  @BeforeEach
  void open() {
    world = new EngineWorld(disk);
    world.source.put(EngineWorld.TABLE + "a.txt", "1|Ada\n2|Bob\n");
    world.source.put(EngineWorld.TABLE + "b.txt", "3|Cleo\n1|Ada the second\n");
  }

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  void theRowsOfAllFilesAreFoundByTheirKeysAndLookupsAreCounted() throws Exception {
    DimensionService<String, Customer> service = world.open(world.request());
    try (DimensionReader<String, Customer> reader = service.reader()) {
      assertThat(reader.find("2")).isEqualTo(new Customer("2", "Bob"));
      assertThat(reader.find("1")).isEqualTo(new Customer("1", "Ada the second"));
      assertThat(reader.find("9")).isNull();
      assertThat(reader.find(null)).isNull();
      List<Customer> all = new ArrayList<>();
      assertThat(reader.findAll("3", all::add)).isEqualTo(1);
      assertThat(reader.findAll(null, all::add)).isZero();
      assertThat(all).containsExactly(new Customer("3", "Cleo"));
      Customer[] rows = new Customer[4];
      reader.findBatch(new String[] {"3", null, "8", "not asked"}, rows, 3);
      assertThat(rows).containsExactly(new Customer("3", "Cleo"), null, null, null);
      reader.findBatch(new String[] {"3", "8"}, rows, 2);
      assertThat(rows[0]).isEqualTo(new Customer("3", "Cleo"));
    }
    DimensionStatistics statistics = service.statistics();
    assertThat(statistics.lookups()).isEqualTo(new DimensionStatistics.Lookups(5, 3, 3));
    assertThat(statistics.loads().built()).isEqualTo(1);
    assertThat(statistics.loads().loads()).isEqualTo(1);
    assertThat(statistics.served().orElseThrow().rows()).isEqualTo(3);
    assertThat(statistics.served().orElseThrow().duplicateKeys()).isEqualTo(1);
    assertThat(statistics.tiers()).containsOnlyKeys("local-disk", "source");
    assertThat(statistics.tiers().get("source").hits()).isEqualTo(2);
  }

  @Test
  void allRowsOfAKeyAreGivenInTheOrderOfTheSourceWhereAllAreKept() throws Exception {
    ServiceRequest<String, Customer> keepAll =
        new ServiceRequest<>(
            EngineWorld.customers(),
            DuplicateKeys.KEEP_ALL,
            List.of(LocalDisk.at(disk)),
            EngineWorld.strictly(),
            Staleness.serveForever());
    try (DimensionReader<String, Customer> reader = world.open(keepAll).reader()) {
      List<Customer> all = new ArrayList<>();
      assertThat(reader.findAll("1", all::add)).isEqualTo(2);
      assertThat(all)
          .containsExactly(new Customer("1", "Ada"), new Customer("1", "Ada the second"));
    }
  }

  @Test
  void equalRequestsShareOneService() throws Exception {
    DimensionService<String, Customer> first = world.open(world.request());
    DimensionService<String, Customer> second = world.open(world.request());
    assertThat(world.source.operations("list")).hasSize(2);
    assertThat(threads()).hasSize(1);
    first.close();
    try (DimensionReader<String, Customer> reader = second.reader()) {
      assertThat(reader.find("2")).isNotNull();
    }
    assertThatThrownBy(first::reader)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
  }

  @Test
  void twoProcessesOfAHostBuildOnce() throws Exception {
    DimensionService<String, Customer> one = world.begin(world.request(), Map.of("process", "1"));
    DimensionService<String, Customer> two = world.begin(world.request(), Map.of("process", "2"));
    one.awaitFirstVersion();
    two.awaitFirstVersion();
    assertThat(List.of(one.statistics().loads().built(), two.statistics().loads().built()))
        .containsExactlyInAnyOrder(1L, 0L);
    assertThat(List.of(one.statistics().loads().reused(), two.statistics().loads().reused()))
        .containsExactlyInAnyOrder(1L, 0L);
    assertThat(world.source.operations("open")).hasSize(2);
  }

  @Test
  void aRestartFindsTheIndexOnTheLocalDiskAndReadsNoRow() throws Exception {
    world.open(world.request()).close();
    world.source.forgetOperations();
    world.clock.move(EngineWorld.INTERVAL);

    DimensionService<String, Customer> again = world.open(world.request());
    assertThat(world.source.operations("")).containsExactly("list " + EngineWorld.TABLE);
    assertThat(again.statistics().loads().reused()).isEqualTo(1);
    try (DimensionReader<String, Customer> reader = again.reader()) {
      assertThat(reader.find("3")).isEqualTo(new Customer("3", "Cleo"));
    }
  }

  @Test
  void aRestartDuringAnOutageOfTheSourceServesWhatWasServedBefore() throws Exception {
    world.open(world.request()).close();
    world.clock.move(EngineWorld.INTERVAL);
    world.source.fail("list", StoreException.Kind.UNAVAILABLE);

    DimensionService<String, Customer> again = world.open(world.request());
    try (DimensionReader<String, Customer> reader = again.reader()) {
      assertThat(reader.find("3")).isEqualTo(new Customer("3", "Cleo"));
      assertThat(again.statistics().served().orElseThrow().age()).isEqualTo(EngineWorld.INTERVAL);
      await().until(() -> again.statistics().loads().failuresInARow() == 1);

      world.source.heal();
      world.source.put(EngineWorld.TABLE + "b.txt", "3|New Cleo\n");
      world.refresh(again);
      assertThat(reader.advance()).isTrue();
      assertThat(reader.find("3")).isEqualTo(new Customer("3", "New Cleo"));
      await().until(() -> again.statistics().loads().failuresInARow() == 0);
    }
  }

  @Test
  void aRestartDuringAnOutageFailsWhereWhatWasServedBeforeIsTooOld() throws Exception {
    world.open(world.request()).close();
    world.clock.move(Duration.ofHours(2));
    world.source.fail("list", StoreException.Kind.UNAVAILABLE);
    assertThatThrownBy(
            () ->
                world.open(
                    world.request(
                        EngineWorld.customers(), Staleness.failAfter(Duration.ofHours(1)))))
        .isInstanceOfSatisfying(
            LeatException.class,
            e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.SOURCE_UNREADABLE));
  }

  @Test
  void hiddenFilesMarkersAndEmptyFilesAreNotRead() throws Exception {
    world.source.put(EngineWorld.TABLE + "_SUCCESS", "9|marker\n");
    world.source.put(EngineWorld.TABLE + ".staging/c.txt", "9|staged\n");
    world.source.put(EngineWorld.TABLE + "empty.txt", "");
    try (DimensionReader<String, Customer> reader = world.open(world.request()).reader()) {
      assertThat(reader.find("9")).isNull();
    }
    assertThat(world.source.operations("open"))
        .containsExactlyInAnyOrder(
            "open " + EngineWorld.TABLE + "a.txt", "open " + EngineWorld.TABLE + "b.txt");
  }

  @Test
  void anEmptyLocationIsOneErrorThatSaysWhatToDo() {
    world.source.remove(EngineWorld.TABLE + "a.txt");
    world.source.remove(EngineWorld.TABLE + "b.txt");
    assertFails(
        ErrorCode.SOURCE_NOT_FOUND,
        "Dimension 'customers': nothing found under s3a://bucket/customers/ (0 objects listed); check the prefix");
  }

  @Test
  void refusedCredentialsAreOneErrorThatSaysWhatToDo() {
    world.source.fail("list", StoreException.Kind.ACCESS_DENIED);
    assertFails(ErrorCode.ACCESS_DENIED, "check the credentials");
    assertThat(world.source.operations("list")).hasSize(1);
  }

  @Test
  void aSourceThatDoesNotAnswerIsOneErrorAfterItWasTriedAgain() {
    world.source.fail("list", StoreException.Kind.UNAVAILABLE);
    assertFails(ErrorCode.SOURCE_UNREADABLE, "check the endpoint");
    assertThat(world.source.operations("list")).hasSize(2);
  }

  @Test
  void aFileThatMayNotBeReadIsOneErrorAndLeavesNothingBehind() {
    world.source.fail("read " + EngineWorld.TABLE + "b.txt", StoreException.Kind.ACCESS_DENIED);
    assertFails(ErrorCode.ACCESS_DENIED, "b.txt");
    world.close();
    assertThat(world.onDisk()).allMatch(name -> name.endsWith(".lock"));
  }

  @Test
  void afterAFailedStartTheNextCallTriesAnew() throws Exception {
    world.source.fail("list", StoreException.Kind.ACCESS_DENIED);
    assertFails(ErrorCode.ACCESS_DENIED, "credentials");
    world.source.heal();
    assertThat(world.open(world.request()).statistics().loads().built()).isEqualTo(1);
  }

  private void assertFails(ErrorCode code, String message) {
    assertThatThrownBy(() -> world.open(world.request()))
        .isInstanceOfSatisfying(LeatException.class, e -> assertThat(e.errorCode()).isEqualTo(code))
        .hasMessageContaining(message)
        .hasMessageContaining("Dimension 'customers'");
  }

  @Test
  void aSourceThatIsOverwrittenWhileItIsReadIsReadAgain() throws Exception {
    AtomicInteger reads = new AtomicInteger();
    world.source.before(
        "read " + EngineWorld.TABLE + "b.txt",
        operation -> {
          if (reads.incrementAndGet() == 1) {
            world.source.put(EngineWorld.TABLE + "a.txt", "1|New Ada\n");
            world.source.put(EngineWorld.TABLE + "b.txt", "2|New Bob\n");
          }
        });
    try (DimensionReader<String, Customer> reader = world.open(world.request()).reader()) {
      assertThat(reader.find("1")).isEqualTo(new Customer("1", "New Ada"));
      assertThat(reader.find("2")).isEqualTo(new Customer("2", "New Bob"));
      assertThat(reader.find("3")).isNull();
    }
    assertThat(world.events(DimensionEvent.SourceChangedWhileReading.class)).hasSize(1);
    world.awaitEvent(DimensionEvent.VersionActivated.class);
    assertThat(world.events(DimensionEvent.VersionActivated.class)).hasSize(1);
  }

  @Test
  void aFileThatIsAddedWhileTheSourceIsReadVoidsTheAttempt() throws Exception {
    AtomicInteger reads = new AtomicInteger();
    world.source.before(
        "read",
        operation -> {
          if (reads.incrementAndGet() == 1) {
            world.source.put(EngineWorld.TABLE + "c.txt", "4|Dan\n");
          }
        });
    try (DimensionReader<String, Customer> reader = world.open(world.request()).reader()) {
      assertThat(reader.find("4")).isEqualTo(new Customer("4", "Dan"));
    }
    assertThat(world.events(DimensionEvent.SourceChangedWhileReading.class)).hasSize(1);
  }

  @Test
  void aSourceThatNeverComesToRestIsAnErrorAndLeavesNothingBehind() {
    world.source.before(
        "read", operation -> world.source.put(EngineWorld.TABLE + "c.txt", "4|Dan\n"));
    assertFails(ErrorCode.SOURCE_CHANGING, "in each of 3 attempts");
    world.close();
    assertThat(world.onDisk()).allMatch(name -> name.endsWith(".lock"));
  }

  record Aged(String id, int age) {}

  @Test
  void malformedRowsAreCountedAndToldWithSamples() throws Exception {
    world.source.put(EngineWorld.TABLE + "a.txt", "1|36\n2|old\n\\N|40\n");
    world.source.put(EngineWorld.TABLE + "b.txt", "3|41\n");
    Dimension<String, Aged> aged =
        Dimension.named("customers")
            .at(EngineWorld.TABLE)
            .rows(Aged.class, DelimitedText.separatedBy('|').columns("id", "age"))
            .keyedBy(String.class, "id")
            .malformedRows(MalformedRows.skip());
    DimensionService<String, Aged> service =
        world.open(
            new ServiceRequest<>(
                aged,
                DuplicateKeys.KEEP_LAST,
                List.of(LocalDisk.at(disk)),
                EngineWorld.strictly(),
                Staleness.serveForever()));
    try (DimensionReader<String, Aged> reader = service.reader()) {
      assertThat(reader.find("1")).isEqualTo(new Aged("1", 36));
      assertThat(reader.find("2")).isNull();
    }
    DimensionStatistics.Served served = service.statistics().served().orElseThrow();
    assertThat(served.rejectedRows()).isEqualTo(1);
    assertThat(served.nullKeyRows()).isEqualTo(1);
    DimensionEvent.RowsRejected told = world.events(DimensionEvent.RowsRejected.class).get(0);
    assertThat(told.rejectedRows()).isEqualTo(1);
    assertThat(told.samples()).first().asString().contains("a.txt").contains("age");
  }

  @Test
  void moreMalformedRowsThanThePolicyAllowsAreAnError() {
    world.source.put(EngineWorld.TABLE + "a.txt", "1|36\n2|old\n");
    world.source.remove(EngineWorld.TABLE + "b.txt");
    Dimension<String, Aged> aged =
        Dimension.named("customers")
            .at(EngineWorld.TABLE)
            .rows(Aged.class, DelimitedText.separatedBy('|').columns("id", "age"))
            .keyedBy(String.class, "id")
            .malformedRows(MalformedRows.fail());
    assertThatThrownBy(
            () ->
                world.open(
                    new ServiceRequest<>(
                        aged,
                        DuplicateKeys.KEEP_LAST,
                        List.of(LocalDisk.at(disk)),
                        EngineWorld.strictly(),
                        Staleness.serveForever())))
        .isInstanceOfSatisfying(
            LeatException.class, e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.MALFORMED_ROWS))
        .hasMessageContaining("a.txt");
  }

  @Test
  void aListenerMayCloseTheLastHandle() throws Exception {
    DimensionService<String, Customer> service = world.begin(world.request());
    service.addListener(
        event -> {
          if (event instanceof DimensionEvent.VersionActivated) {
            service.close();
          }
        });
    await().until(() -> threads().isEmpty());
    assertThat(Leftovers.mappingsBelow(disk)).isEmpty();
  }

  @Test
  void anIndexThatDoesNotFitTheBudgetIsAnErrorAndLeavesNothingBehind() {
    ServiceRequest<String, Customer> tight =
        world.request(LocalDisk.at(disk).budget(DataSize.ofBytes(10)));
    assertThatThrownBy(() -> world.open(tight))
        .isInstanceOfSatisfying(
            LeatException.class, e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.DISK_FULL))
        .hasMessageContaining("budget")
        .hasMessageContaining("LocalDisk.at");
    world.close();
    assertThat(world.onDisk()).allMatch(name -> name.endsWith(".lock"));
  }

  @Test
  void closingWhileTheTableIsReadStopsAtOnceAndLeavesNothingBehind() throws Exception {
    CountDownLatch reading = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    world.source.before(
        "read",
        operation -> {
          reading.countDown();
          try {
            never.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new java.io.InterruptedIOException("interrupted");
          }
        });
    DimensionService<String, Customer> service = world.begin(world.request(world.tier()));
    reading.await();
    Thread waiter = Thread.currentThread();
    Thread closer = new Thread(service::close);
    closer.start();
    assertThatThrownBy(service::awaitFirstVersion).isInstanceOf(InterruptedException.class);
    closer.join();
    assertThat(waiter.isInterrupted()).isFalse();
    assertThat(threads()).isEmpty();
    assertThat(world.onDisk()).allMatch(name -> name.endsWith(".lock"));
    assertThat(world.cache.uris()).isEmpty();
    assertThat(world.source.closes()).isEqualTo(1);
    assertThat(world.cache.closes()).isEqualTo(1);
  }

  @Test
  void progressIsToldWhileTheTableIsRead() throws Exception {
    CountDownLatch told = new CountDownLatch(1);
    world.source.before(
        "read " + EngineWorld.TABLE + "b.txt",
        operation -> {
          try {
            told.await();
          } catch (InterruptedException e) {
            throw new java.io.InterruptedIOException("interrupted");
          }
        });
    DimensionService<String, Customer> service = world.begin(world.request());
    service.addListener(
        event -> {
          if (event instanceof DimensionEvent.BuildProgress) {
            told.countDown();
          }
        });
    service.awaitFirstVersion();
    DimensionEvent.BuildProgress progress = world.events(DimensionEvent.BuildProgress.class).get(0);
    assertThat(progress.totalBytes())
        .isEqualTo("1|Ada\n2|Bob\n3|Cleo\n1|Ada the second\n".length());
    assertThat(world.awaitEvent(DimensionEvent.VersionActivated.class).origin())
        .isEqualTo(Origin.BUILT);
  }

  @Test
  void aListenerThatThrowsDoesNoHarm() throws Exception {
    DimensionService<String, Customer> service = world.begin(world.request());
    service.addListener(
        event -> {
          throw new IllegalStateException("a listener's own trouble");
        });
    service.awaitFirstVersion();
    world.refresh(service);
    assertThat(service.statistics().loads().unchanged()).isEqualTo(1);
  }

  /** The threads of the engine that live. */
  static List<String> threads() {
    return threads("leat-customers");
  }

  private static List<String> threads(String prefix) {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith(prefix))
        .toList();
  }

  @Test
  void afterTheLastCloseNoThreadNoClientNoMappingNoLockAndNoFileDescriptorIsLeft()
      throws Exception {
    DimensionService<String, Customer> service = world.open(world.request(world.tier()));
    DimensionReader<String, Customer> reader = service.reader();
    reader.find("1");
    assertThat(Leftovers.mappingsBelow(disk)).isNotEmpty();
    assertThat(Leftovers.openFilesBelow(disk)).isNotEmpty();
    reader.close();
    service.close();
    assertThat(threads()).isEmpty();
    // A pool counts a thread as ended a moment before it is.
    await().until(() -> threads("leat-").isEmpty());
    assertThat(Leftovers.mappingsBelow(disk)).isEmpty();
    assertThat(Leftovers.openFilesBelow(disk)).isEmpty();
    assertThat(world.source.closes()).isEqualTo(1);
    assertThat(world.cache.closes()).isEqualTo(1);
    assertThat(world.onDisk())
        .noneMatch(
            name -> name.contains("owner-") || name.contains(".use-") || name.contains(".new-"));
  }

  @Test
  void aReaderThatOutlivesTheServiceUnmapsWhenItCloses() throws Exception {
    DimensionService<String, Customer> service = world.open(world.request());
    DimensionReader<String, Customer> reader = service.reader();
    service.close();
    assertThat(reader.find("2")).isEqualTo(new Customer("2", "Bob"));
    reader.close();
    await().untilAsserted(() -> assertThat(Leftovers.mappingsBelow(disk)).isEmpty());
  }
}
