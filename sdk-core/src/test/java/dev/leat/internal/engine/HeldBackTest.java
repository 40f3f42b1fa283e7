package dev.leat.internal.engine;

import static dev.leat.internal.engine.EngineWorld.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leat.ErrorCode;
import dev.leat.Guard;
import dev.leat.LeatException;
import dev.leat.LocalDisk;
import dev.leat.Staleness;
import dev.leat.VersionGone;
import dev.leat.event.DimensionEvent;
import dev.leat.event.DimensionEvent.VersionHeldBack;
import dev.leat.internal.engine.EngineWorld.Customer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeldBackTest {
  private static final String FILE = EngineWorld.TABLE + "a.txt";
  private static final Guard HALF = Guard.standard().maxShrink(0.5);

  @TempDir Path disk;
  @TempDir Path otherDisk;
  private EngineWorld world;

  @BeforeEach
  void open() {
    world = new EngineWorld(disk);
    world.source.put(FILE, rows(10));
  }

  @AfterEach
  void close() {
    world.close();
  }

  private static String rows(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> i + "|Customer " + i + "\n")
        .collect(Collectors.joining());
  }

  private static Customer customer(int i) {
    return new Customer(String.valueOf(i), "Customer " + i);
  }

  @Test
  void aTableThatIsSuddenlyEmptyIsHeldBackWithoutBeingAskedFor() throws Exception {
    DimensionService<String, Customer> service = world.open(world.request());
    try (DimensionReader<String, Customer> reader = service.reader()) {
      world.source.put(FILE, "\\N|no key\n");
      world.refresh(service);
      assertThat(reader.advance()).isFalse();
      assertThat(reader.find("3")).isEqualTo(customer(3));
      VersionHeldBack event = world.awaitEvent(VersionHeldBack.class);
      assertThat(event.rows()).isZero();
      assertThat(event.before()).isEqualTo(OptionalLong.of(10));
    }
  }

  @Test
  void withoutAGuardATableMayBecomeEmpty() throws Exception {
    DimensionService<String, Customer> service = world.open(world.request().with(Guard.none()));
    try (DimensionReader<String, Customer> reader = service.reader()) {
      world.source.put(FILE, "\\N|no key\n");
      world.refresh(service);
      await().until(reader::advance);
      assertThat(reader.find("3")).isNull();
    }
  }

  @Test
  void aShrunkVersionIsLoadedOnceAndToldOnceAndItsAgeGrows() throws Exception {
    DimensionService<String, Customer> service = world.open(world.request(world.tier()).with(HALF));
    try (DimensionReader<String, Customer> reader = service.reader()) {
      String served = reader.version().id();
      world.source.put(FILE, rows(4));
      world.refresh(service);
      world.source.forgetOperations();
      world.refresh(service);
      world.refresh(service);
      assertThat(world.source.operations("")).as("looks only").allMatch(o -> o.startsWith("list"));
      assertThat(reader.advance()).isFalse();

      var loads = service.statistics().loads();
      assertThat(loads.failuresInARow()).isEqualTo(3);
      assertThat(loads.heldBack()).isPresent();
      assertThat(loads.latestFailure().orElseThrow())
          .contains("LEAT-2008")
          .contains("4 rows of the 10 that the version before it had, 60.00 % less")
          .contains(loads.heldBack().get() + ".accepted");
      assertThat(world.events(VersionHeldBack.class)).hasSize(1);
      assertThat(world.events(DimensionEvent.RefreshFailed.class))
          .extracting(DimensionEvent.RefreshFailed::code)
          .containsOnly(ErrorCode.VERSION_HELD_BACK)
          .hasSize(3);
      assertThat(service.statistics().served().orElseThrow().age())
          .as("a version that is held back does not make the served one current")
          .isEqualTo(EngineWorld.INTERVAL.multipliedBy(3));
      assertThat(world.cache.uris())
          .as("it is not published")
          .anyMatch(uri -> uri.contains(served))
          .noneMatch(uri -> uri.contains(loads.heldBack().get()));
    }
  }

  @Test
  void aSmallerShrinkIsServed() throws Exception {
    DimensionService<String, Customer> service = world.open(world.request().with(HALF));
    try (DimensionReader<String, Customer> reader = service.reader()) {
      world.source.put(FILE, rows(5));
      world.refresh(service);
      await().until(reader::advance);
      assertThat(reader.find("7")).isNull();
      assertThat(service.statistics().loads().heldBack()).isEmpty();
    }
  }

  @Test
  void aTableThatIsCorrectedIsServedAgain() throws Exception {
    DimensionService<String, Customer> service = world.open(world.request().with(HALF));
    try (DimensionReader<String, Customer> reader = service.reader()) {
      world.source.put(FILE, rows(1));
      world.refresh(service);
      assertThat(service.statistics().loads().heldBack()).isPresent();
      world.source.put(FILE, rows(12));
      world.refresh(service);
      await().until(reader::advance);
      assertThat(reader.find("11")).isEqualTo(customer(11));
      await().until(() -> service.statistics().loads().failuresInARow() == 0);
      assertThat(service.statistics().loads().heldBack()).isEmpty();
      world.awaitEvent(DimensionEvent.RefreshRecovered.class);
    }
  }

  @Test
  void aTableThatChangesBackIsCurrentAgain() throws Exception {
    byte[] content = world.source.bytes(FILE);
    String tag = world.source.tag(FILE);
    DimensionService<String, Customer> service = world.open(world.request().with(HALF));
    world.source.put(FILE, rows(1));
    world.refresh(service);
    assertThat(service.statistics().loads().heldBack()).isPresent();
    world.source.put(FILE, content, tag);
    world.refresh(service);
    await().until(() -> service.statistics().loads().failuresInARow() == 0);
    assertThat(service.statistics().loads().heldBack()).isEmpty();
    assertThat(service.statistics().served().orElseThrow().age()).isZero();
  }

  @Test
  void aVersionIsAcceptedByAFileOnTheDiskAndNotBuiltAgain() throws Exception {
    DimensionService<String, Customer> service = world.open(world.request().with(HALF));
    try (DimensionReader<String, Customer> reader = service.reader()) {
      world.source.put(FILE, rows(2));
      world.refresh(service);
      String held = service.statistics().loads().heldBack().orElseThrow();
      Files.createFile(disk.resolve("customers").resolve(held + ".accepted"));
      world.source.forgetOperations();
      world.refresh(service);
      await().until(reader::advance);
      assertThat(reader.version().id()).isEqualTo(held);
      assertThat(reader.find("1")).isEqualTo(customer(1));
      assertThat(reader.find("5")).isNull();
      assertThat(world.source.operations("")).as("not read again").allMatch(o -> o.startsWith("l"));
      assertThat(service.statistics().loads().built()).isEqualTo(1);
      assertThat(service.statistics().loads().heldBack()).isEmpty();
    }
  }

  @Test
  void aVersionIsAcceptedByAFileInATier() throws Exception {
    DimensionService<String, Customer> service = world.open(world.request(world.tier()).with(HALF));
    try (DimensionReader<String, Customer> reader = service.reader()) {
      world.source.put(FILE, rows(2));
      world.refresh(service);
      String held = service.statistics().loads().heldBack().orElseThrow();
      String root = MemoryTier.INDEX_ROOT + "/customers/";
      world.cache.put(root + held + ".accepted", "");
      world.refresh(service);
      await().until(reader::advance);
      assertThat(reader.version().id()).isEqualTo(held);
      await().until(() -> world.cache.uris().contains(root + held + "/manifest.json"));
    }
  }

  @Test
  void theFirstVersionNeedsTheRowsThatTheGuardAsksFor() {
    DimensionService<String, Customer> service =
        world.begin(world.request().with(Guard.standard().minRows(11)));
    assertThatThrownBy(service::awaitFirstVersion)
        .isInstanceOfSatisfying(
            LeatException.class,
            e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.VERSION_HELD_BACK))
        .hasMessageContaining("it has 10 rows, and the guard asks for 11 at least");
  }

  @Test
  void aRestartDoesNotLetAShrunkTableThrough() throws Exception {
    DimensionService<String, Customer> before = world.open(world.request().with(HALF));
    String served = before.statistics().served().orElseThrow().version().id();
    before.close();
    world.clock.move(Duration.ofMinutes(7));
    world.source.put(FILE, rows(1));
    DimensionService<String, Customer> service = world.open(world.request().with(HALF));
    assertThat(service.statistics().served().orElseThrow().version().id()).isEqualTo(served);
    assertThat(service.statistics().served().orElseThrow().age()).isEqualTo(Duration.ofMinutes(7));
    assertThat(service.statistics().loads().heldBack()).isPresent();
    service.close();

    DimensionService<String, Customer> accepted =
        world.open(world.request().with(Guard.standard().maxShrink(0.95)));
    assertThat(accepted.statistics().served().orElseThrow().rows())
        .as("a wider guard and a restart let it through")
        .isEqualTo(1);
    accepted.close();

    DimensionService<String, Customer> again = world.open(world.request().with(HALF));
    assertThat(again.statistics().served().orElseThrow().rows())
        .as("what was served once is not held back later")
        .isEqualTo(1);
  }

  @Test
  void aNewHostServesWhatTheOthersHavePublishedRatherThanAShrunkTable() throws Exception {
    DimensionService<String, Customer> before = world.open(world.request(world.tier()).with(HALF));
    String served = before.statistics().served().orElseThrow().version().id();
    await().until(() -> world.cache.uris().stream().anyMatch(uri -> uri.endsWith("manifest.json")));
    before.close();
    world.source.put(FILE, rows(1));
    DimensionService<String, Customer> elsewhere =
        world.begin(
            world
                .request(
                    EngineWorld.customers(),
                    Staleness.serveForever(),
                    LocalDisk.at(otherDisk),
                    world.tier())
                .with(HALF),
            Map.of("host", "another"));
    elsewhere.awaitFirstVersion();
    assertThat(elsewhere.statistics().served().orElseThrow().version().id()).isEqualTo(served);
    assertThat(elsewhere.statistics().loads().heldBack()).isPresent();
  }

  @Test
  void aVersionThatIsTooOldFailsAlsoWhileItsSuccessorIsHeldBack() throws Exception {
    DimensionService<String, Customer> service =
        world.open(
            world
                .request(EngineWorld.customers(), Staleness.failAfter(Duration.ofMinutes(25)))
                .with(HALF));
    try (DimensionReader<String, Customer> reader = service.reader()) {
      world.source.put(FILE, rows(1));
      for (int i = 0; i < 2; i++) {
        world.refresh(service);
        assertThat(reader.advance()).isFalse();
      }
      world.clock.move(Duration.ofMinutes(6));
      assertThatThrownBy(reader::advance)
          .isInstanceOfSatisfying(
              LeatException.class, e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.STALE))
          .hasMessageContaining("is held back");
    }
  }

  @Test
  void aSteeredDimensionRefusesToPrepareIt() throws Exception {
    SteeredDimension<String, Customer> steered = world.steer(world.request().with(HALF));
    KnownVersion first = get(steered.loadFirst());
    steered.activate(first.id());
    world.clock.move(Duration.ofMinutes(10));
    world.source.put(FILE, rows(1));
    KnownVersion shrunk = get(steered.look());
    assertHeldBack(steered.prepare(shrunk));
    world.source.forgetOperations();
    assertHeldBack(steered.look());
    assertThat(world.source.operations("")).as("a look only").hasSize(1);
    assertThat(world.events(VersionHeldBack.class)).hasSize(1);
    assertThat(steered.statistics().served().orElseThrow().age()).isEqualTo(Duration.ofMinutes(10));

    Files.createFile(disk.resolve("customers").resolve(shrunk.id() + ".accepted"));
    assertThat(get(steered.look()).id()).isEqualTo(shrunk.id());
    get(steered.prepare(shrunk));
    steered.activate(shrunk.id());
    assertThat(steered.statistics().served().orElseThrow().rows()).isEqualTo(1);
  }

  @Test
  void aVersionOfACheckpointIsServedWhateverTheGuardSays() throws Exception {
    SteeredDimension<String, Customer> before = world.steer(world.request().with(Guard.none()));
    KnownVersion small = get(before.loadFirst());
    before.close();
    SteeredDimension<String, Customer> restored =
        world.steer(world.request().with(Guard.standard().minRows(1_000)));
    assertThat(get(restored.restore(small, VersionGone.FAIL)).id()).isEqualTo(small.id());
  }

  private static void assertHeldBack(CompletableFuture<?> future) {
    assertThatThrownBy(() -> get(future))
        .cause()
        .isInstanceOfSatisfying(
            LeatException.class,
            e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.VERSION_HELD_BACK));
  }

  @Test
  void wrongGuardsAreRefusedAndGuardsAreValues() {
    assertThatThrownBy(() -> Guard.none().minRows(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1 rows");
    for (double wrong : List.of(-0.1, 1.1, Double.NaN)) {
      assertThatThrownBy(() -> Guard.none().maxShrink(wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("a shrink by " + wrong);
    }
    assertThat(Guard.standard()).isEqualTo(Guard.standard()).isNotEqualTo(Guard.none());
    assertThat(Guard.none()).hasToString("none");
    assertThat(HALF.minRows(7)).hasToString("at least 7 rows, shrunk by at most 50.0 %");
    assertThat(Guard.standard()).hasToString("not suddenly empty");
  }
}
