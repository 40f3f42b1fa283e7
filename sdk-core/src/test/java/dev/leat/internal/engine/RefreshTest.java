package dev.leat.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leat.BlackOut;
import dev.leat.Dimension;
import dev.leat.DuplicateKeys;
import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.LocalDisk;
import dev.leat.Refresh;
import dev.leat.Schedule;
import dev.leat.Staleness;
import dev.leat.VersionRetention;
import dev.leat.event.DimensionEvent;
import dev.leat.format.DelimitedText;
import dev.leat.internal.engine.EngineWorld.Customer;
import dev.leat.spi.StoreException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RefreshTest {
  @TempDir Path disk;
  private EngineWorld world;

  @BeforeEach
  void open() {
    world = new EngineWorld(disk);
    world.source.put(EngineWorld.TABLE + "a.txt", "1|Ada\n2|Bob\n");
  }

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  void anUnchangedSourceIsListedAndNothingElse() throws Exception {
    DimensionService<String, Customer> service = world.open(world.request());
    world.source.forgetOperations();
    world.refresh(service);
    assertThat(world.source.operations("")).containsExactly("list " + EngineWorld.TABLE);
    assertThat(service.statistics().loads().built()).isEqualTo(1);
    assertThat(service.statistics().loads().unchanged()).isEqualTo(1);
    assertThat(service.statistics().served().orElseThrow().age()).isZero();
    assertThat(world.events(DimensionEvent.SourceUnchanged.class)).hasSize(1);
  }

  @Test
  void aReaderStaysAtItsVersionUntilItAdvances() throws Exception {
    DimensionService<String, Customer> service = world.open(world.request());
    try (DimensionReader<String, Customer> reader = service.reader()) {
      String before = reader.version().id();
      assertThat(reader.advance()).isFalse();
      world.source.put(EngineWorld.TABLE + "a.txt", "1|New Ada\n");
      world.refresh(service);
      assertThat(reader.find("1")).isEqualTo(new Customer("1", "Ada"));
      assertThat(reader.advance()).isTrue();
      assertThat(reader.find("1")).isEqualTo(new Customer("1", "New Ada"));
      assertThat(reader.find("2")).isNull();
      assertThat(reader.version().id()).isNotEqualTo(before);
      assertThat(reader.advance()).isFalse();
    }
  }

  @Test
  void theOldVersionIsUnmappedAndRemovedWhenItsLastReaderHasMovedOn() throws Exception {
    DimensionService<String, Customer> service =
        world.open(world.request().with(VersionRetention.keep(1).forAtLeast(Duration.ZERO)));
    try (DimensionReader<String, Customer> one = service.reader();
        DimensionReader<String, Customer> two = service.reader()) {
      String old = one.version().id();
      world.source.put(EngineWorld.TABLE + "a.txt", "1|New Ada\n");
      world.refresh(service);
      one.advance();
      assertThat(Leftovers.mappingsBelow(disk.resolve("customers").resolve(old))).isNotEmpty();
      assertThat(two.find("2")).isEqualTo(new Customer("2", "Bob"));
      two.advance();
      await().until(() -> world.events(DimensionEvent.VersionRetired.class).size() == 1);
      assertThat(world.events(DimensionEvent.VersionRetired.class).get(0).versionId())
          .isEqualTo(old);
      await().until(() -> !world.onDisk().contains(old));
      assertThat(Leftovers.mappingsBelow(disk.resolve("customers").resolve(old))).isEmpty();
      assertThat(one.find("1")).isEqualTo(new Customer("1", "New Ada"));
    }
  }

  @Test
  void aVersionThatComesBackIsServedAgain() throws Exception {
    DimensionService<String, Customer> service = world.open(world.request());
    try (DimensionReader<String, Customer> reader = service.reader()) {
      String first = reader.version().id();
      byte[] content = world.source.bytes(EngineWorld.TABLE + "a.txt");
      String tag = world.source.tag(EngineWorld.TABLE + "a.txt");
      world.source.put(EngineWorld.TABLE + "a.txt", "1|New Ada\n");
      world.refresh(service);
      world.source.put(EngineWorld.TABLE + "a.txt", content, tag);
      world.refresh(service);
      assertThat(reader.version().id()).isEqualTo(first);
      reader.advance();
      assertThat(reader.version().id()).isEqualTo(first);
      assertThat(reader.find("2")).isEqualTo(new Customer("2", "Bob"));
    }
  }

  @Test
  void aFailedRefreshKeepsTheOldVersionAndIsLatchedUntilOneSucceeds() throws Exception {
    DimensionService<String, Customer> service = world.open(world.request());
    try (DimensionReader<String, Customer> reader = service.reader()) {
      world.source.put(EngineWorld.TABLE + "a.txt", "1|New Ada\n");
      world.source.fail("list", StoreException.Kind.THROTTLED);
      world.refresh(service);
      world.refresh(service);
      assertThat(reader.advance()).isFalse();
      assertThat(reader.find("1")).isEqualTo(new Customer("1", "Ada"));
      assertThat(service.statistics().loads().failuresInARow()).isEqualTo(2);
      assertThat(service.statistics().loads().latestFailure().orElseThrow()).contains("slow down");
      assertThat(service.statistics().served().orElseThrow().age())
          .isEqualTo(EngineWorld.INTERVAL.multipliedBy(2));
      assertThat(world.events(DimensionEvent.RefreshFailed.class))
          .extracting(DimensionEvent.RefreshFailed::failures)
          .containsExactly(1, 2);

      world.source.heal();
      world.refresh(service);
      assertThat(reader.advance()).isTrue();
      assertThat(reader.find("1")).isEqualTo(new Customer("1", "New Ada"));
      await().until(() -> service.statistics().loads().failuresInARow() == 0);
      assertThat(service.statistics().loads().latestFailure()).isEmpty();
      assertThat(world.awaitEvent(DimensionEvent.RefreshRecovered.class).failures()).isEqualTo(2);
    }
  }

  @Test
  void aTableThatVanishesDoesNotEmptyTheDimension() throws Exception {
    DimensionService<String, Customer> service = world.open(world.request());
    try (DimensionReader<String, Customer> reader = service.reader()) {
      world.source.remove(EngineWorld.TABLE + "a.txt");
      world.refresh(service);
      assertThat(reader.advance()).isFalse();
      assertThat(reader.find("1")).isEqualTo(new Customer("1", "Ada"));
      assertThat(world.awaitEvent(DimensionEvent.RefreshFailed.class).code())
          .isEqualTo(ErrorCode.SOURCE_NOT_FOUND);
    }
  }

  @Test
  void aVersionThatIsTooOldFailsTheReaderAndSaysWhy() throws Exception {
    DimensionService<String, Customer> service =
        world.open(
            world.request(EngineWorld.customers(), Staleness.failAfter(Duration.ofMinutes(25))));
    try (DimensionReader<String, Customer> reader = service.reader()) {
      world.source.fail("list", StoreException.Kind.UNAVAILABLE);
      world.refresh(service);
      world.refresh(service);
      assertThat(reader.advance()).isFalse();
      world.clock.move(Duration.ofMinutes(6));
      assertThatThrownBy(reader::advance)
          .isInstanceOfSatisfying(
              LeatException.class, e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.STALE))
          .hasMessageContaining("the refresh fails")
          .hasMessageContaining("scripted failure");
    }
  }

  @Test
  void looksDoNotOverlapAndLookupsGoOnWhileAVersionIsBuilt() throws Exception {
    DimensionService<String, Customer> service = world.open(world.request());
    CountDownLatch building = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    try (DimensionReader<String, Customer> reader = service.reader()) {
      world.source.put(EngineWorld.TABLE + "a.txt", "1|New Ada\n");
      world.source.before(
          "read",
          operation -> {
            building.countDown();
            try {
              goOn.await();
            } catch (InterruptedException e) {
              throw new java.io.InterruptedIOException("interrupted");
            }
          });
      world.source.forgetOperations();
      world.clock.move(EngineWorld.INTERVAL);
      building.await();
      world.clock.move(EngineWorld.INTERVAL.multipliedBy(5));
      assertThat(reader.advance()).isFalse();
      assertThat(reader.find("2")).isEqualTo(new Customer("2", "Bob"));
      assertThat(world.source.operations("list")).hasSizeLessThanOrEqualTo(2);
      goOn.countDown();
      await().until(reader::advance);
      assertThat(reader.find("1")).isEqualTo(new Customer("1", "New Ada"));
    }
  }

  @Test
  void withRefreshNeverTheSourceIsLookedAtOnce() throws Exception {
    ServiceRequest<String, Customer> never =
        new ServiceRequest<>(
            EngineWorld.customers(),
            DuplicateKeys.KEEP_LAST,
            List.of(LocalDisk.at(disk)),
            Refresh.never(),
            Staleness.serveForever());
    DimensionService<String, Customer> service = world.open(never);
    world.source.forgetOperations();
    world.clock.move(Duration.ofDays(365));
    try (DimensionReader<String, Customer> reader = service.reader()) {
      assertThat(reader.advance()).isFalse();
    }
    assertThat(world.source.operations("")).isEmpty();
  }

  @Test
  void aScheduleAndItsBlackOutsAreFollowed() throws Exception {
    Refresh refresh =
        Refresh.on(Schedule.cron("*/30 * * * *", ZoneOffset.UTC))
            .exceptDuring(
                BlackOut.beginning("0 1 * * *", ZoneOffset.UTC).lasting(Duration.ofMinutes(90)));
    // It is midnight.
    DimensionService<String, Customer> service = world.open(world.request(refresh));
    world.source.forgetOperations();
    world.clock.move(Duration.ofMinutes(29));
    world.refresh(service, Duration.ofMinutes(1));
    assertThat(world.source.operations("list")).as("at 00:30").hasSize(1);
    world.refresh(service, Duration.ofMinutes(120));
    assertThat(world.source.operations("list")).as("at 02:30 again").hasSize(2);
    world.refresh(service, Duration.ofMinutes(30));
    assertThat(world.source.operations("list")).as("at 03:00").hasSize(3);
  }

  @Test
  void momentsOfAScheduleThatPassDuringALookDoNotPileUp() throws Exception {
    Refresh refresh = Refresh.on(Schedule.cron("* * * * *", ZoneOffset.UTC));
    DimensionService<String, Customer> service = world.open(world.request(refresh));
    CountDownLatch looking = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    world.source.before(
        "list",
        operation -> {
          looking.countDown();
          try {
            goOn.await();
          } catch (InterruptedException e) {
            throw new java.io.InterruptedIOException("interrupted");
          }
        });
    world.source.forgetOperations();
    world.clock.move(Duration.ofMinutes(1));
    looking.await();
    world.clock.move(Duration.ofMinutes(30));
    goOn.countDown();
    await().until(() -> service.statistics().loads().unchanged() == 1);
    assertThat(world.source.operations("list")).hasSize(1);
    world.refresh(service, Duration.ofMinutes(1));
    assertThat(world.source.operations("list")).as("one for 30 that have passed").hasSize(2);
  }

  @Test
  void versionsSwitchWhileNobodyLooksAnythingUp() throws Exception {
    DimensionService<String, Customer> service = world.open(world.request());
    String before = service.statistics().served().orElseThrow().version().id();
    for (int i = 0; i < 3; i++) {
      world.source.put(EngineWorld.TABLE + "a.txt", "1|Ada " + i + "\n");
      world.refresh(service);
    }
    await().until(() -> world.events(DimensionEvent.VersionRetired.class).size() == 3);
    assertThat(world.events(DimensionEvent.VersionActivated.class)).hasSize(4);
    assertThat(service.statistics().served().orElseThrow().version().id()).isNotEqualTo(before);
    assertThat(service.statistics().lookups().hits()).isZero();
  }

  @Test
  void aFileThatAListingLacksForAMomentMakesNoVersion() throws Exception {
    String late = EngineWorld.TABLE + "b.txt";
    world.source.put(late, "3|Cyd\n");
    byte[] content = world.source.bytes(late);
    String tag = world.source.tag(late);
    DimensionService<String, Customer> service = world.open(world.request());
    world.source.forgetOperations();
    world.source.before(
        "list",
        operation -> {
          if (world.source.operations("list").size() == 1) {
            world.source.remove(late);
          } else {
            world.source.put(late, content, tag);
          }
        });
    world.refresh(service);
    assertThat(world.source.operations("")).hasSize(2).allMatch(each -> each.startsWith("list"));
    assertThat(world.events(DimensionEvent.VersionActivated.class)).hasSize(1);
    assertThat(service.statistics().loads().unchanged()).isEqualTo(1);
  }

  @Test
  void aFileThatIsGoneForGoodMakesAVersion() throws Exception {
    world.source.put(EngineWorld.TABLE + "b.txt", "3|Cyd\n");
    DimensionService<String, Customer> service = world.open(world.request());
    try (DimensionReader<String, Customer> reader = service.reader()) {
      world.source.remove(EngineWorld.TABLE + "b.txt");
      world.refresh(service);
      await().until(reader::advance);
      assertThat(reader.find("3")).isNull();
    }
  }

  @Test
  void aTableIsReadOnlyWhileItIsMarkedAsComplete() throws Exception {
    String marker = EngineWorld.TABLE + "_SUCCESS";
    ServiceRequest<String, Customer> request =
        world.request(
            Dimension.named("customers")
                .at(EngineWorld.TABLE)
                .whenMarked("_SUCCESS")
                .rows(Customer.class, DelimitedText.separatedBy('|').columns("id", "name"))
                .keyedBy(String.class, "id"),
            Staleness.serveForever());
    DimensionService<String, Customer> tooEarly = world.begin(request);
    assertThatThrownBy(tooEarly::awaitFirstVersion)
        .isInstanceOfSatisfying(
            LeatException.class,
            e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.SOURCE_INCOMPLETE))
        .hasMessageContaining("there is no s3a://bucket/customers/_SUCCESS");
    tooEarly.close();
    world.source.put(marker, "");
    DimensionService<String, Customer> service = world.open(request);
    try (DimensionReader<String, Customer> reader = service.reader()) {
      world.source.remove(marker);
      world.source.put(EngineWorld.TABLE + "a.txt", "1|Half\n");
      world.refresh(service);
      assertThat(reader.advance()).isFalse();
      assertThat(world.awaitEvent(DimensionEvent.RefreshFailed.class).code())
          .isEqualTo(ErrorCode.SOURCE_INCOMPLETE);
      world.source.put(EngineWorld.TABLE + "a.txt", "1|Whole\n2|Bob\n");
      world.source.put(marker, "");
      world.refresh(service);
      await().until(reader::advance);
      assertThat(reader.find("1")).isEqualTo(new Customer("1", "Whole"));
    }
  }
}
