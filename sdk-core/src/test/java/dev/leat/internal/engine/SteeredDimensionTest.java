package dev.leat.internal.engine;

import static dev.leat.internal.engine.EngineWorld.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.Staleness;
import dev.leat.VersionGone;
import dev.leat.event.DimensionEvent;
import dev.leat.internal.engine.EngineWorld.Customer;
import dev.leat.internal.index.IndexManifest;
import dev.leat.spi.StoreException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SteeredDimensionTest {
  private static final Customer ADA = new Customer("1", "Ada");
  private static final Customer NEW_ADA = new Customer("1", "New Ada");

  @TempDir Path disk;
  private EngineWorld world;

  @BeforeEach
  void open() {
    world = new EngineWorld(disk);
    publish("1|Ada\n2|Bob\n");
  }

  @AfterEach
  void close() {
    world.close();
  }

  private void publish(String rows) {
    world.source.put(EngineWorld.TABLE + "a.txt", rows);
  }

  private static void assertFails(CompletableFuture<?> future, ErrorCode code) {
    assertThatThrownBy(() -> get(future))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOfSatisfying(
            LeatException.class, e -> assertThat(e.errorCode()).isEqualTo(code));
  }

  private static KnownVersion begin(SteeredDimension<String, Customer> steered) throws Exception {
    KnownVersion first = get(steered.loadFirst());
    steered.activate(first.id());
    return first;
  }

  private KnownVersion prepareNext(SteeredDimension<String, Customer> steered) throws Exception {
    return get(steered.prepare(get(steered.look())));
  }

  @Test
  void nothingIsDoneUntilItIsOrdered() throws Exception {
    SteeredDimension<String, Customer> steered = world.steer(world.request());
    KnownVersion first = begin(steered);
    world.source.forgetOperations();
    publish("1|New Ada\n");
    world.clock.move(EngineWorld.INTERVAL.multipliedBy(5));
    try (DimensionReader<String, Customer> reader = steered.reader()) {
      assertThat(reader.advance()).isFalse();
      assertThat(reader.version().id()).isEqualTo(first.id());
      assertThat(world.source.operations("")).isEmpty();
    }
  }

  @Test
  void aPreparedVersionIsReadWhenItIsActivatedAndNotBefore() throws Exception {
    SteeredDimension<String, Customer> steered = world.steer(world.request());
    KnownVersion first = begin(steered);
    try (DimensionReader<String, Customer> reader = steered.reader()) {
      publish("1|New Ada\n");
      KnownVersion next = prepareNext(steered);
      assertThat(reader.advance()).isFalse();
      assertThat(reader.find("1")).isEqualTo(ADA);
      assertThat(steered.activate(next.id()).id()).isEqualTo(next.id());
      assertThat(reader.find("1")).isEqualTo(ADA);
      assertThat(reader.advance()).isTrue();
      assertThat(reader.find("1")).isEqualTo(NEW_ADA);
      // Until it is released the one before can come back.
      steered.activate(first.id());
      assertThat(reader.advance()).isTrue();
      assertThat(reader.find("1")).isEqualTo(ADA);
      steered.release(next.id());
      assertThatThrownBy(() -> steered.activate(next.id()))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining(next.id());
      await().until(() -> world.events(DimensionEvent.VersionRetired.class).size() == 1);
      assertThat(world.events(DimensionEvent.VersionRetired.class).get(0).versionId())
          .isEqualTo(next.id());
    }
  }

  @Test
  void handlesThatShareTheWorkMayBeAtDifferentVersions() throws Exception {
    SteeredDimension<String, Customer> one = world.steer(world.request());
    SteeredDimension<String, Customer> other = world.steer(world.request());
    KnownVersion first = begin(one);
    get(other.prepare(first));
    other.activate(first.id());
    publish("1|New Ada\n");
    KnownVersion next = prepareNext(one);
    assertThat(get(other.prepare(next))).isEqualTo(next);
    one.activate(next.id());
    one.release(first.id());
    try (DimensionReader<String, Customer> reader = one.reader();
        DimensionReader<String, Customer> otherReader = other.reader()) {
      assertThat(reader.find("1")).isEqualTo(NEW_ADA);
      assertThat(otherReader.find("1")).isEqualTo(ADA);
      assertThat(other.statistics().served().orElseThrow().version().id()).isEqualTo(first.id());
    }
    assertThat(one.statistics().loads().built()).isEqualTo(2);
    await()
        .until(() -> Set.copyOf(world.events(DimensionEvent.VersionActivated.class)).size() == 2);
    assertThat(world.events(DimensionEvent.VersionRetired.class)).isEmpty();
  }

  @Test
  void aVersionThatTheSourceNoLongerHasIsGoneUnlessItIsPublished() throws Exception {
    SteeredDimension<String, Customer> steered = world.steer(world.request());
    begin(steered);
    publish("1|New Ada\n");
    KnownVersion seen = get(steered.look());
    publish("1|Newer Ada\n");
    assertFails(steered.prepare(seen), ErrorCode.VERSION_GONE);
    try (DimensionReader<String, Customer> reader = steered.reader()) {
      assertThat(reader.find("1")).isEqualTo(ADA);
    }
    assertThat(steered.statistics().loads().failuresInARow()).isEqualTo(1);
    steered.activate(prepareNext(steered).id());
    await().until(() -> steered.statistics().loads().failuresInARow() == 0);
  }

  @Test
  void anotherHostFetchesAPublishedVersionWithoutAListing() throws Exception {
    SteeredDimension<String, Customer> builder = world.steer(world.request(world.tier()));
    begin(builder);
    publish("1|New Ada\n");
    KnownVersion next = prepareNext(builder);
    publish("1|Newer Ada\n");
    world.source.forgetOperations();
    Path otherDisk = Files.createDirectory(disk.resolve("other-host"));
    SteeredDimension<String, Customer> fetcher =
        world.steer(world.request(dev.leat.LocalDisk.at(otherDisk), world.tier()));
    get(fetcher.prepare(next));
    fetcher.activate(next.id());
    try (DimensionReader<String, Customer> reader = fetcher.reader()) {
      assertThat(reader.find("1")).isEqualTo(NEW_ADA);
    }
    assertThat(world.source.operations("")).isEmpty();
    assertThat(fetcher.statistics().loads().fetched()).isEqualTo(1);
  }

  @Test
  void subtasksThatAskedBeforeALoadFailedGetItsFailureAndNoLoadEach() throws Exception {
    SteeredDimension<String, Customer> one = world.steer(world.request());
    SteeredDimension<String, Customer> other = world.steer(world.request());
    begin(one);
    publish("1|New Ada\n");
    KnownVersion next = get(one.look());
    world.source.fail("read", StoreException.Kind.UNAVAILABLE);
    CompletableFuture<KnownVersion> first = one.prepare(next);
    CompletableFuture<KnownVersion> second = other.prepare(next);
    assertFails(first, ErrorCode.SOURCE_UNREADABLE);
    assertFails(second, ErrorCode.SOURCE_UNREADABLE);
    assertThat(Set.copyOf(world.events(DimensionEvent.RefreshFailed.class))).hasSize(1);
    world.source.heal();
    assertThat(get(other.prepare(next)).id()).isEqualTo(next.id());
  }

  @Test
  void theAgeCountsFromWhereverTheSourceWasSeen() throws Exception {
    SteeredDimension<String, Customer> steered =
        world.steer(
            world.request(EngineWorld.customers(), Staleness.failAfter(Duration.ofMinutes(30))));
    KnownVersion first = begin(steered);
    try (DimensionReader<String, Customer> reader = steered.reader()) {
      world.clock.move(Duration.ofMinutes(31));
      assertThatThrownBy(reader::advance)
          .isInstanceOfSatisfying(
              LeatException.class, e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.STALE));
      steered.seen(first.seenAt(world.clock.instant()));
      assertThat(reader.advance()).isFalse();
      assertThat(reader.version().seen()).isEqualTo(world.clock.instant());
    }
  }

  @Test
  void aLookThatFindsNothingNewMakesTheVersionYoung() throws Exception {
    SteeredDimension<String, Customer> steered = world.steer(world.request());
    KnownVersion first = begin(steered);
    world.clock.move(Duration.ofMinutes(31));
    assertThat(get(steered.look())).isEqualTo(first.seenAt(world.clock.instant()));
    assertThat(steered.statistics().served().orElseThrow().age()).isZero();
    assertThat(steered.statistics().loads().unchanged()).isEqualTo(1);
    world.source.fail("list", StoreException.Kind.UNAVAILABLE);
    assertFails(steered.look(), ErrorCode.SOURCE_UNREADABLE);
    assertThat(steered.statistics().loads().failuresInARow()).isEqualTo(1);
  }

  @Test
  void theVersionOfACheckpointIsRestoredFromTheDiskWhateverTheSourceHas() throws Exception {
    SteeredDimension<String, Customer> steered = world.steer(world.request());
    KnownVersion first = begin(steered);
    steered.close();
    publish("1|New Ada\n");
    world.source.fail("list", StoreException.Kind.UNAVAILABLE);
    SteeredDimension<String, Customer> restored = world.steer(world.request());
    assertThat(get(restored.restore(first, VersionGone.FAIL))).isEqualTo(first);
    restored.activate(first.id());
    try (DimensionReader<String, Customer> reader = restored.reader()) {
      assertThat(reader.find("1")).isEqualTo(ADA);
    }
  }

  @Test
  void aVersionThatIsGoneFailsTheRestoreOrIsReplacedByTheNearestNewerOne() throws Exception {
    SteeredDimension<String, Customer> steered = world.steer(world.request());
    KnownVersion first = begin(steered);
    world.clock.move(Duration.ofMinutes(1));
    publish("1|New Ada\n");
    KnownVersion second = prepareNext(steered);
    world.clock.move(Duration.ofMinutes(1));
    publish("1|Newer Ada\n");
    prepareNext(steered);
    steered.close();
    delete(first.id());
    publish("1|Newest Ada\n");

    SteeredDimension<String, Customer> restored = world.steer(world.request());
    assertThatThrownBy(() -> get(restored.restore(first, VersionGone.FAIL)))
        .hasMessageContaining(first.id())
        .hasMessageContaining("savepoint")
        .hasMessageContaining("USE_NEWER");
    assertThat(get(restored.restore(first, VersionGone.USE_NEWER)).id()).isEqualTo(second.id());
    restored.close();
    assertThat(world.events(DimensionEvent.RefreshFailed.class)).isEmpty();
  }

  @Test
  void whereNoNewerVersionIsKeptTheOneOfTheSourceIsTaken() throws Exception {
    SteeredDimension<String, Customer> steered = world.steer(world.request());
    KnownVersion first = begin(steered);
    steered.close();
    delete(first.id());
    publish("1|New Ada\n");
    SteeredDimension<String, Customer> restored = world.steer(world.request());
    KnownVersion newer = get(restored.restore(first, VersionGone.USE_NEWER));
    assertThat(newer.id()).isNotEqualTo(first.id());
    restored.activate(newer.id());
    try (DimensionReader<String, Customer> reader = restored.reader()) {
      assertThat(reader.find("1")).isEqualTo(NEW_ADA);
    }
  }

  @Test
  void theStateOfAnotherDefinitionIsNoReasonToFail() throws Exception {
    SteeredDimension<String, Customer> steered = world.steer(world.request());
    KnownVersion current = get(steered.loadFirst());
    KnownVersion foreign =
        new KnownVersion(
            "0123abcd" + current.id().substring(8), current.fingerprint(), current.seen());
    assertThat(get(steered.restore(foreign, VersionGone.FAIL)).id()).isEqualTo(current.id());
  }

  @Test
  void aDamagedIndexIsReplacedByTheSameVersionThoughTheSourceHasANewerOne() throws Exception {
    SteeredDimension<String, Customer> steered = world.steer(world.request(world.tier()));
    KnownVersion first = begin(steered);
    await()
        .until(
            () ->
                world.cache.uris().stream().anyMatch(uri -> uri.endsWith(IndexManifest.FILE_NAME)));
    publish("1|New Ada\n");
    try (DimensionReader<String, Customer> reader = steered.reader()) {
      scribble(first.id());
      assertThat(reader.find("1")).isEqualTo(ADA);
      assertThat(reader.version().id()).isEqualTo(first.id());
    }
    assertThat(steered.statistics().loads().fetched()).isEqualTo(1);
  }

  /** Overwrites each shard in place, so that mappings see it. */
  private void scribble(String versionId) throws Exception {
    try (Stream<Path> files = Files.list(disk.resolve("customers").resolve(versionId))) {
      for (Path shard : files.filter(file -> !file.endsWith(IndexManifest.FILE_NAME)).toList()) {
        try (FileChannel channel = FileChannel.open(shard, StandardOpenOption.WRITE)) {
          for (long at = channel.size() / 4; at < channel.size(); at += 3) {
            channel.write(ByteBuffer.wrap(new byte[] {(byte) 0xA5}), at);
          }
        }
      }
    }
  }

  private void delete(String versionId) throws Exception {
    Path version = disk.resolve("customers").resolve(versionId);
    try (Stream<Path> files = Files.list(version)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(version);
  }

  @Test
  void anOutageAtTheStartServesWhatThisHostServedLast() throws Exception {
    SteeredDimension<String, Customer> steered = world.steer(world.request());
    KnownVersion first = begin(steered);
    steered.close();
    world.clock.move(Duration.ofMinutes(3));
    world.source.fail("list", StoreException.Kind.UNAVAILABLE);
    SteeredDimension<String, Customer> again = world.steer(world.request());
    assertThat(get(again.loadFirst())).isEqualTo(first);
    assertThat(again.statistics().loads().failuresInARow()).isEqualTo(1);
  }

  @Test
  void nothingIsLeftAfterTheLastHandleIsClosedAndLaterOrdersAreRefused() throws Exception {
    SteeredDimension<String, Customer> one = world.steer(world.request());
    SteeredDimension<String, Customer> other = world.steer(world.request());
    begin(one);
    begin(other);
    publish("1|New Ada\n");
    prepareNext(one);
    one.close();
    assertThat(Leftovers.mappingsBelow(disk)).isNotEmpty();
    other.close();
    assertThat(Leftovers.mappingsBelow(disk)).isEmpty();
    assertThat(Leftovers.openFilesBelow(disk)).isEmpty();
    assertThat(world.onDisk()).noneMatch(name -> name.contains(".use-"));
    assertThatThrownBy(() -> get(other.look()))
        .hasCauseInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
    assertThatThrownBy(other::reader).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aServiceThatCannotOpenItsDiskRefusesAllOrdersAndTheNextHandleTriesAnew() throws Exception {
    Path blocked = disk.resolve("blocked");
    Files.writeString(blocked, "a file where the directory should be");
    ServiceRequest<String, Customer> request = world.request(dev.leat.LocalDisk.at(blocked));
    SteeredDimension<String, Customer> steered = world.steer(request);
    assertFails(steered.loadFirst(), ErrorCode.DISK_UNUSABLE);
    Files.delete(blocked);
    SteeredDimension<String, Customer> again = world.steer(request);
    assertThat(get(again.loadFirst())).isNotNull();
  }

  @Test
  void aHandleThatFollowsTheSourceHasAServiceOfItsOwn() throws Exception {
    SteeredDimension<String, Customer> steered = world.steer(world.request(), Map.of());
    begin(steered);
    DimensionService<String, Customer> service = world.open(world.request());
    publish("1|New Ada\n");
    world.refresh(service);
    try (DimensionReader<String, Customer> follower = service.reader();
        DimensionReader<String, Customer> reader = steered.reader()) {
      assertThat(List.of(follower.find("1"), reader.find("1"))).containsExactly(NEW_ADA, ADA);
    }
  }
}
