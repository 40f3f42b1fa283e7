package dev.leat.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leat.Dimension;
import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.LocalDisk;
import dev.leat.Staleness;
import dev.leat.VersionRetention;
import dev.leat.event.DimensionEvent;
import dev.leat.event.DimensionEvent.Origin;
import dev.leat.format.DelimitedText;
import dev.leat.internal.engine.EngineWorld.Customer;
import dev.leat.internal.index.IndexManifest;
import dev.leat.spi.StoreException;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TierTest {
  private static final String A = EngineWorld.TABLE + "a.txt";

  @TempDir Path disk;
  @TempDir Path otherDisk;
  private EngineWorld world;

  @BeforeEach
  void open() {
    world = new EngineWorld(disk);
    world.source.put(A, "1|Ada\n2|Bob\n");
  }

  @AfterEach
  void close() {
    world.close();
  }

  private void mirror() {
    world.cache.put(MemoryTier.copyOf(A), world.source.bytes(A), world.source.tag(A));
  }

  private void assertServes(DimensionService<String, Customer> service, String id, String name) {
    try (DimensionReader<String, Customer> reader = service.reader()) {
      assertThat(reader.find(id)).isEqualTo(new Customer(id, name));
    }
  }

  // ---- raw bytes -----------------------------------------------------------------------------

  @Test
  void rawBytesComeFromTheTierWhereItsCopyIsFreshAndTheListingFromTheSource() throws Exception {
    mirror();
    DimensionService<String, Customer> service = world.open(world.request(world.tier()));
    assertServes(service, "1", "Ada");
    assertThat(world.source.operations("")).allMatch(operation -> operation.startsWith("list"));
    assertThat(world.cache.operations("read " + MemoryTier.copyOf(A))).isNotEmpty();
    assertThat(service.statistics().tiers().get("memory").hits()).isEqualTo(1);
    assertThat(service.statistics().tiers().get("memory").bytes()).isPositive();
  }

  @Test
  void aStaleCopyIsNeverServed() throws Exception {
    world.cache.put(
        MemoryTier.copyOf(A), "1|Old\n2|Bob\n".getBytes(StandardCharsets.UTF_8), "an-older-tag");
    DimensionService<String, Customer> service = world.open(world.request(world.tier()));
    assertServes(service, "1", "Ada");
    assertThat(world.cache.operations("read " + MemoryTier.copyOf(A))).isEmpty();
    assertThat(world.source.operations("read " + A)).isNotEmpty();
  }

  @Test
  void aTierThatFailsAtTheFirstByteIsReplacedByTheSource() throws Exception {
    mirror();
    world.cache.fail("read " + MemoryTier.copyOf(A), StoreException.Kind.UNAVAILABLE);
    DimensionService<String, Customer> service = world.open(world.request(world.tier()));
    assertServes(service, "2", "Bob");
    assertThat(service.statistics().tiers().get("memory").fallbacks()).isEqualTo(1);
    assertThat(world.events(DimensionEvent.TierDegraded.class)).hasSize(1);
  }

  @Test
  void afterATierFailedInTheMiddleOfAFileAllOfItIsReadFromTheSource() throws Exception {
    StringBuilder rows = new StringBuilder();
    for (int i = 0; i < 20_000; i++) {
      rows.append(i).append("|name of ").append(i).append('\n');
    }
    world.source.put(A, rows.toString());
    mirror();
    AtomicInteger reads = new AtomicInteger();
    world.cache.before(
        "read " + MemoryTier.copyOf(A),
        operation -> {
          if (reads.incrementAndGet() > 3) {
            throw new StoreException(StoreException.Kind.UNAVAILABLE, "the worker died", null);
          }
        });
    DimensionService<String, Customer> service = world.open(world.request(world.tier()));
    assertServes(service, "0", "name of 0");
    assertServes(service, "19999", "name of 19999");
    assertThat(service.statistics().served().orElseThrow().rows()).isEqualTo(20_000);
    assertThat(service.statistics().served().orElseThrow().duplicateKeys()).isZero();
    assertThat(service.statistics().tiers().get("memory").fallbacks()).isEqualTo(1);
    assertThat(world.events(DimensionEvent.SourceChangedWhileReading.class)).isEmpty();
  }

  @Test
  void aCopyThatIsDamagedThoughItsMetadataSayItIsFreshIsReplacedByTheSource() throws Exception {
    String gz = EngineWorld.TABLE + "b.txt.gz";
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(compressed)) {
      out.write("3|Cleo\n4|Dan\n".getBytes(StandardCharsets.UTF_8));
    }
    byte[] damaged = compressed.toByteArray();
    world.source.put(gz, damaged, "tag-gz");
    damaged[damaged.length / 2] ^= 0x55;
    world.cache.put(MemoryTier.copyOf(gz), damaged, "tag-gz");
    DimensionService<String, Customer> service = world.open(world.request(world.tier()));
    assertServes(service, "3", "Cleo");
    assertServes(service, "4", "Dan");
    assertThat(service.statistics().tiers().get("memory").fallbacks()).isEqualTo(1);
  }

  @Test
  void theLocationMayBeTheTiersOwn() throws Exception {
    mirror();
    Dimension<String, Customer> mirrored =
        Dimension.named("customers")
            .at("mem://cache/mirror/customers/")
            .rows(Customer.class, DelimitedText.separatedBy('|').columns("id", "name"))
            .keyedBy(String.class, "id");
    DimensionService<String, Customer> service =
        world.open(world.request(mirrored, Staleness.serveForever(), world.tier()));
    assertServes(service, "1", "Ada");
    assertThat(world.source.operations("list")).contains("list " + EngineWorld.TABLE);
  }

  @Test
  void aLocationThatTheTierDoesNotKnowIsOneError() {
    Dimension<String, Customer> unknown =
        Dimension.named("customers")
            .at("mem://cache/elsewhere/")
            .rows(Customer.class, DelimitedText.separatedBy('|').columns("id", "name"))
            .keyedBy(String.class, "id");
    assertThatThrownBy(
            () -> world.open(world.request(unknown, Staleness.serveForever(), world.tier())))
        .isInstanceOfSatisfying(
            LeatException.class,
            e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.TIER_NOT_MAPPED));
  }

  // ---- published indexes ---------------------------------------------------------------------

  @Test
  void anotherHostFetchesThePublishedIndexAndReadsNoRow() throws Exception {
    publishAndClose();
    assertThat(world.cache.uris()).anyMatch(uri -> uri.endsWith(IndexManifest.FILE_NAME));
    assertThat(world.cache.uris()).noneMatch(uri -> uri.endsWith(".lease"));
    assertThat(publications()).last().asString().endsWith(IndexManifest.FILE_NAME);
    world.source.forgetOperations();

    DimensionService<String, Customer> other =
        world.open(world.request(LocalDisk.at(otherDisk), world.tier()));
    assertServes(other, "1", "Ada");
    assertThat(world.source.operations("")).containsExactly("list " + EngineWorld.TABLE);
    assertThat(other.statistics().loads().fetched()).isEqualTo(1);
    assertThat(world.awaitEvent(DimensionEvent.VersionActivated.class).origin())
        .isEqualTo(Origin.BUILT);
  }

  /** Lets a first host build and publish the index, and end. */
  private void publishAndClose() throws InterruptedException {
    DimensionService<String, Customer> builder = world.open(world.request(world.tier()));
    await()
        .until(
            () ->
                world.cache.uris().stream().anyMatch(uri -> uri.endsWith(IndexManifest.FILE_NAME)));
    builder.close();
  }

  private List<String> publications() {
    return world.cache.operations("publish ").stream()
        .filter(operation -> !operation.endsWith(".lease"))
        .toList();
  }

  private String published(String suffix) {
    return world.cache.uris().stream()
        .filter(uri -> uri.startsWith(MemoryTier.INDEX_ROOT) && uri.endsWith(suffix))
        .findFirst()
        .orElseThrow();
  }

  private String publishedShard() {
    return world.cache.uris().stream()
        .filter(
            uri -> uri.startsWith(MemoryTier.INDEX_ROOT) && !uri.endsWith(IndexManifest.FILE_NAME))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aPublishedIndexWithADamagedShardIsWithdrawnBuiltAndPublishedAnew() throws Exception {
    publishAndClose();
    byte[] whole = world.cache.bytes(publishedShard());
    byte[] damaged = whole.clone();
    damaged[damaged.length / 2] ^= 1;
    world.cache.put(publishedShard(), damaged, "damaged");
    assertRebuiltElsewhere();
    assertThat(world.cache.bytes(publishedShard())).isEqualTo(whole);
  }

  @Test
  void aPublishedIndexWithATruncatedShardIsWithdrawnBuiltAndPublishedAnew() throws Exception {
    publishAndClose();
    byte[] whole = world.cache.bytes(publishedShard());
    world.cache.put(
        publishedShard(), java.util.Arrays.copyOf(whole, whole.length - 1), "truncated");
    assertRebuiltElsewhere();
    assertThat(world.cache.bytes(publishedShard())).isEqualTo(whole);
  }

  @Test
  void aPublishedIndexWithAnUnreadableManifestIsWithdrawnBuiltAndPublishedAnew() throws Exception {
    publishAndClose();
    world.cache.put(
        published(IndexManifest.FILE_NAME),
        "{\"formatVersion\":".getBytes(StandardCharsets.UTF_8),
        "cut");
    assertRebuiltElsewhere();
  }

  @Test
  void aPublishedManifestThatNamesAFileOutsideOfItsDirectoryIsNotFollowed() throws Exception {
    publishAndClose();
    String uri = published(IndexManifest.FILE_NAME);
    IndexManifest whole = IndexManifest.parse(world.cache.bytes(uri));
    List<IndexManifest.Shard> hostile =
        whole.shards().stream()
            .map(
                shard ->
                    new IndexManifest.Shard(
                        "../../../escaped-" + shard.name(),
                        shard.bytes(),
                        shard.crc32c(),
                        shard.footerCrc32c()))
            .toList();
    for (IndexManifest.Shard shard : whole.shards()) {
      String version = uri.substring(0, uri.length() - IndexManifest.FILE_NAME.length());
      world.cache.put(
          URI.create(version).resolve("../../../escaped-" + shard.name()).toString(),
          world.cache.bytes(version + shard.name()),
          "hostile");
    }
    world.cache.put(
        uri,
        new IndexManifest(
                whole.formatVersion(),
                whole.columns(),
                whole.keyColumns(),
                whole.duplicates(),
                whole.sourceFingerprint(),
                whole.rows(),
                whole.duplicateKeys(),
                whole.nullKeyRows(),
                whole.filteredRows(),
                whole.rejectedRows(),
                whole.rejectedSamples(),
                whole.unparsableCells(),
                whole.unparsableSamples(),
                hostile)
            .toJson(),
        "hostile");
    assertRebuiltElsewhere();
    try (Stream<Path> files = Files.list(otherDisk.getParent())) {
      assertThat(files).noneMatch(file -> file.getFileName().toString().startsWith("escaped"));
    }
  }

  @Test
  void aPublishedIndexWithoutAShardIsWithdrawnBuiltAndPublishedAnew() throws Exception {
    publishAndClose();
    world.cache.remove(publishedShard());
    assertRebuiltElsewhere();
  }

  private void assertRebuiltElsewhere() throws InterruptedException {
    DimensionService<String, Customer> other =
        world.open(world.request(LocalDisk.at(otherDisk), world.tier()));
    assertServes(other, "2", "Bob");
    assertThat(other.statistics().loads().built()).isEqualTo(1);
    assertThat(other.statistics().tiers().get("memory").damaged()).isEqualTo(1);
    assertThat(world.awaitEvent(DimensionEvent.IndexDamaged.class).tier()).isEqualTo("memory");
    await()
        .until(
            () ->
                world.cache.uris().stream().anyMatch(uri -> uri.endsWith(IndexManifest.FILE_NAME)));
    other.close();
    world.source.forgetOperations();
    DimensionService<String, Customer> third =
        world.open(world.request(LocalDisk.at(otherDisk.resolve("third")), world.tier()));
    assertThat(third.statistics().loads().fetched()).isEqualTo(1);
  }

  @Test
  void aTierThatIsDownDegradesOnceTheSourceServesAndTheHealedTierIsUsedAgain() throws Exception {
    mirror();
    world.cache.fail("", StoreException.Kind.UNAVAILABLE);
    DimensionService<String, Customer> service = world.open(world.request(world.tier()));
    assertServes(service, "1", "Ada");
    assertThat(service.statistics().tiers().get("memory").fallbacks()).isPositive();
    await().until(() -> world.events(DimensionEvent.PublicationFailed.class).size() == 1);
    world.refresh(service);
    world.refresh(service);
    assertThat(world.events(DimensionEvent.TierDegraded.class)).hasSize(1);
    assertThat(world.events(DimensionEvent.PublicationFailed.class)).hasSize(1);
    assertThat(service.statistics().loads().failures()).isZero();

    world.cache.heal();
    world.refresh(service);
    await()
        .until(
            () ->
                world.cache.uris().stream().anyMatch(uri -> uri.endsWith(IndexManifest.FILE_NAME)));
    assertThat(world.events(DimensionEvent.TierHealed.class)).hasSize(1);
  }

  @Test
  void aTierThatIsFullDoesNotStopTheJob() throws Exception {
    world.cache.fail("publish ", StoreException.Kind.FULL);
    DimensionService<String, Customer> service = world.open(world.request(world.tier()));
    assertServes(service, "1", "Ada");
    assertThat(world.awaitEvent(DimensionEvent.PublicationFailed.class).tier()).isEqualTo("memory");
    assertThat(world.cache.uris()).noneMatch(uri -> uri.endsWith(".lease"));
  }

  @Test
  void oldVersionsAreWithdrawnButForTheLatestFew() throws Exception {
    DimensionService<String, Customer> service =
        world.open(
            world.request(world.tier()).with(VersionRetention.keep(3).forAtLeast(Duration.ZERO)));
    for (int i = 0; i < 5; i++) {
      world.source.put(A, "1|Ada " + i + "\n");
      world.refresh(service);
    }
    await()
        .untilAsserted(
            () ->
                assertThat(
                        world.cache.uris().stream()
                            .filter(uri -> uri.endsWith(IndexManifest.FILE_NAME)))
                    .hasSize(3));
    String current = service.statistics().served().orElseThrow().version().id();
    await().until(() -> world.cache.uris().stream().anyMatch(uri -> uri.contains(current)));
  }

  @Test
  void leasesOfBuildersThatDiedAreSweptAndYoungOnesAreNot() throws Exception {
    DimensionService<String, Customer> service = world.open(world.request(world.tier()));
    String lineage = service.statistics().served().orElseThrow().version().id().substring(0, 8);
    String directory = MemoryTier.INDEX_ROOT + "/customers/";
    String dead = directory + lineage + "0123456789abcdef.lease";
    String young = directory + lineage + "fedcba9876543210.lease";
    String foreign = directory + "ffffffff0123456789abcdef.lease";
    world.cache.put(dead, "a host that died 3");
    world.cache.put(foreign, "of another definition 1");
    for (int second = 0; second < 700; second++) {
      world.cache.put("mem://cache/clock", "the store's clock goes a second on with each content");
    }
    world.cache.put(young, "a host that builds 1");

    world.source.put(A, "1|Ada the next\n");
    world.refresh(service);

    await().until(() -> !world.cache.uris().contains(dead));
    assertThat(world.cache.uris()).contains(young, foreign);
  }

  // ---- the election of a builder -------------------------------------------------------------

  private String lease(DimensionService<?, ?> builder) {
    return MemoryTier.INDEX_ROOT
        + "/customers/"
        + builder.statistics().served().orElseThrow().version().id()
        + ".lease";
  }

  @Test
  void whoFindsALeaseWaitsAndFetchesWhatItsHolderPublishes() throws Exception {
    DimensionService<String, Customer> builder = world.open(world.request(world.tier()));
    await()
        .until(
            () ->
                world.cache.uris().stream().anyMatch(uri -> uri.endsWith(IndexManifest.FILE_NAME)));
    String manifest = published(IndexManifest.FILE_NAME);
    byte[] manifestBytes = world.cache.bytes(manifest);
    world.cache.remove(manifest);
    world.cache.put(lease(builder), "another host 0");
    world.source.forgetOperations();
    AtomicInteger looks = new AtomicInteger();
    world.cache.before(
        "read " + lease(builder),
        operation -> {
          // The holder makes progress, and more often than a holder without progress would be
          // waited for.
          int look = looks.incrementAndGet();
          if (look == 30) {
            world.cache.put(manifest, manifestBytes, "published");
            world.cache.remove(lease(builder));
          } else {
            world.cache.put(lease(builder), "another host " + look);
          }
        });

    DimensionService<String, Customer> waiting =
        world.open(world.request(LocalDisk.at(otherDisk), world.tier()));
    assertServes(waiting, "1", "Ada");
    assertThat(waiting.statistics().loads().fetched()).isEqualTo(1);
    assertThat(world.source.operations("read")).isEmpty();
  }

  @Test
  void aLeaseWhoseHolderMakesNoProgressIsTakenOver() throws Exception {
    DimensionService<String, Customer> builder = world.open(world.request(world.tier()));
    await()
        .until(
            () ->
                world.cache.uris().stream().anyMatch(uri -> uri.endsWith(IndexManifest.FILE_NAME)));
    world.cache.remove(published(IndexManifest.FILE_NAME));
    world.cache.put(lease(builder), "a host that died 7");

    DimensionService<String, Customer> successor =
        world.open(world.request(LocalDisk.at(otherDisk), world.tier()));
    assertServes(successor, "1", "Ada");
    assertThat(successor.statistics().loads().built()).isEqualTo(1);
    await().until(() -> world.cache.uris().stream().noneMatch(uri -> uri.endsWith(".lease")));
    assertThat(world.cache.uris()).anyMatch(uri -> uri.endsWith(IndexManifest.FILE_NAME));
  }
}
