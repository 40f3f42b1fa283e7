package dev.leat.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leat.DataSize;
import dev.leat.Dimension;
import dev.leat.LocalDisk;
import dev.leat.Staleness;
import dev.leat.VersionRetention;
import dev.leat.format.DelimitedText;
import dev.leat.internal.engine.EngineWorld.Customer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RetentionTest {
  private static final String FILE = EngineWorld.TABLE + "a.txt";
  private static final VersionRetention ONLY_SERVED =
      VersionRetention.keep(1).forAtLeast(Duration.ZERO);

  @TempDir Path disk;
  @TempDir Path otherDisk;
  private EngineWorld world;
  private int number;

  @BeforeEach
  void open() {
    world = new EngineWorld(disk);
    world.source.put(FILE, "1|Ada\n");
  }

  @AfterEach
  void close() {
    world.close();
  }

  private static String served(DimensionService<?, ?> service) {
    return service.statistics().served().orElseThrow().version().id();
  }

  /** Brings in a new version and gives its id. */
  private String next(DimensionService<?, ?> service) {
    world.source.put(FILE, "1|Ada the " + ++number + "th\n");
    world.refresh(service);
    return served(service);
  }

  private List<String> onDisk(List<String> versions) {
    return versions.stream().filter(world.onDisk()::contains).toList();
  }

  private List<String> published(List<String> versions) {
    return versions.stream()
        .filter(
            id ->
                world.cache.uris().stream()
                    .anyMatch(uri -> uri.endsWith("/" + id + "/manifest.json")))
        .toList();
  }

  @Test
  void versionsAreKeptByTheirNumberAndByTheTimeSinceTheyWereCurrent() throws Exception {
    DimensionService<String, Customer> service =
        world.open(
            world
                .request(world.tier())
                .with(VersionRetention.keep(2).forAtLeast(Duration.ofMinutes(25))));
    List<String> versions = new ArrayList<>(List.of(served(service)));
    for (int i = 0; i < 4; i++) {
      versions.add(next(service));
    }
    // Ten minutes lie between two.
    await().until(() -> onDisk(versions).equals(versions.subList(2, 5)));
    await().until(() -> published(versions).contains(versions.get(4)));
    assertThat(published(versions))
        .as("the store's clock has gone seconds only")
        .isEqualTo(versions);

    world.refresh(service);
    await().until(() -> onDisk(versions).equals(versions.subList(3, 5)));
    world.refresh(service, Duration.ofDays(30));
    world.refresh(service);
    assertThat(onDisk(versions)).as("two in any case").isEqualTo(versions.subList(3, 5));
  }

  @Test
  void whatIsPublishedIsKeptByTheClockOfTheStore() throws Exception {
    DimensionService<String, Customer> service =
        world.open(
            world
                .request(world.tier())
                .with(VersionRetention.keep(1).forAtLeast(Duration.ofMinutes(1))));
    List<String> versions = new ArrayList<>(List.of(served(service)));
    versions.add(next(service));
    versions.add(next(service));
    await().until(() -> published(versions).equals(versions));
    for (int second = 0; second < 60; second++) {
      world.cache.put("mem://cache/clock", "a second goes by with each content");
    }
    versions.add(next(service));
    await().until(() -> published(versions).equals(versions.subList(2, 4)));
  }

  @Test
  void aVersionThatIsReadStaysHoweverOldItIs() throws Exception {
    DimensionService<String, Customer> service = world.open(world.request().with(ONLY_SERVED));
    List<String> versions = new ArrayList<>(List.of(served(service)));
    try (DimensionReader<String, Customer> reader = service.reader()) {
      for (int i = 0; i < 3; i++) {
        versions.add(next(service));
      }
      await().until(() -> onDisk(versions).equals(List.of(versions.get(0), versions.get(3))));
      assertThat(reader.find("1")).isEqualTo(new Customer("1", "Ada"));
      reader.advance();
    }
    await().until(() -> onDisk(versions).equals(List.of(versions.get(3))));
  }

  @Test
  void theBudgetOfTheDiskComesBeforeTheRetention() throws Exception {
    DimensionService<String, Customer> measured = world.open(world.request());
    long bytes = 0;
    try (Stream<Path> files = Files.list(disk.resolve("customers").resolve(served(measured)))) {
      for (Path file : files.toList()) {
        bytes += Files.size(file);
      }
    }
    measured.close();
    // Before an index is in its place its shards count, which are a small part of so small a one.
    LocalDisk forTwo = LocalDisk.at(otherDisk).budget(DataSize.ofBytes(bytes * 21 / 10));
    DimensionService<String, Customer> service =
        world.open(
            world
                .request(EngineWorld.customers(), Staleness.serveForever(), forTwo)
                .with(VersionRetention.keep(10)));
    List<String> versions = new ArrayList<>(List.of(served(service)));
    for (int i = 0; i < 4; i++) {
      versions.add(next(service));
    }
    assertThat(service.statistics().loads().failures()).isZero();
    await()
        .untilAsserted(
            () ->
                assertThat(
                        versions.stream()
                            .filter(id -> Files.exists(otherDisk.resolve("customers").resolve(id))))
                    .containsExactlyElementsOf(versions.subList(3, 5)));
  }

  @Test
  void versionsOfAnotherDefinitionAreLeftAlone() throws Exception {
    Dimension<String, Customer> differently =
        Dimension.named("customers")
            .at(EngineWorld.TABLE)
            .rows(Customer.class, DelimitedText.separatedBy('|').columns("id", "name", "more"))
            .keyedBy(String.class, "id");
    DimensionService<String, Customer> other =
        world.open(
            world.request(differently, Staleness.serveForever(), world.tier()).with(ONLY_SERVED));
    List<String> foreign = List.of(served(other));
    await().until(() -> published(foreign).equals(foreign));
    other.close();
    DimensionService<String, Customer> service =
        world.open(world.request(world.tier()).with(ONLY_SERVED));
    List<String> versions = new ArrayList<>(List.of(served(service)));
    versions.add(next(service));
    versions.add(next(service));
    await().until(() -> onDisk(versions).equals(List.of(versions.get(2))));
    await().until(() -> published(versions).equals(List.of(versions.get(2))));
    assertThat(onDisk(foreign)).isEqualTo(foreign);
    assertThat(published(foreign)).isEqualTo(foreign);
  }

  @Test
  void aHostWhoseVersionIsWithdrawnWhileItFetchesItGetsTheNextOne() throws Exception {
    DimensionService<String, Customer> service =
        world.open(world.request(world.tier()).with(ONLY_SERVED));
    List<String> versions = new ArrayList<>(List.of(served(service)));
    await().until(() -> published(versions).equals(versions));
    CountDownLatch fetching = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    world.cache.before(
        "read " + MemoryTier.INDEX_ROOT + "/customers/" + versions.get(0) + "/shard",
        operation -> {
          fetching.countDown();
          try {
            goOn.await();
          } catch (InterruptedException e) {
            throw new java.io.InterruptedIOException("interrupted");
          }
        });
    DimensionService<String, Customer> elsewhere =
        world.begin(
            world.request(
                EngineWorld.customers(),
                Staleness.serveForever(),
                LocalDisk.at(otherDisk),
                world.tier()),
            Map.of("host", "another"));
    fetching.await();
    versions.add(next(service));
    await().until(() -> published(versions).equals(versions.subList(1, 2)));
    goOn.countDown();
    elsewhere.awaitFirstVersion();
    assertThat(served(elsewhere)).isEqualTo(versions.get(1));
  }

  @Test
  void aMarkOfAcceptanceGoesWithItsVersion() throws Exception {
    DimensionService<String, Customer> service =
        world.open(world.request(world.tier()).with(ONLY_SERVED));
    String mark = MemoryTier.INDEX_ROOT + "/customers/" + served(service) + ".accepted";
    world.cache.put(mark, "");
    List<String> versions = new ArrayList<>(List.of(served(service)));
    versions.add(next(service));
    await().until(() -> published(versions).equals(versions.subList(1, 2)));
    await().until(() -> !world.cache.uris().contains(mark));
  }

  @Test
  void wrongRetentionsAreRefused() {
    assertThatThrownBy(() -> VersionRetention.keep(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("keep 0 versions");
    assertThatThrownBy(() -> VersionRetention.keep(1).forAtLeast(Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("PT-1S is negative");
    assertThat(VersionRetention.standard())
        .isEqualTo(VersionRetention.keep(3).forAtLeast(Duration.ofHours(1)))
        .hasToString("3 versions, and all that were current within PT1H");
  }
}
