package dev.leat.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leat.ErrorCode;
import dev.leat.event.DimensionEvent;
import dev.leat.internal.engine.EngineWorld.Customer;
import dev.leat.internal.engine.repository.Pins;
import dev.leat.internal.index.IndexManifest;
import dev.leat.spi.StoreException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PinTest {
  private static final Customer ADA = new Customer("1", "Ada");
  private static final Customer NEW_ADA = new Customer("1", "New Ada");

  @TempDir Path disk;
  private EngineWorld world;

  @BeforeEach
  void open() {
    world = new EngineWorld(disk);
    publish("1|Ada\n");
  }

  @AfterEach
  void close() {
    world.close();
  }

  private void publish(String rows) {
    world.source.put(EngineWorld.TABLE + "a.txt", rows);
  }

  private void pinOnDisk(String json) throws Exception {
    Files.writeString(disk.resolve("customers").resolve(Pins.FILE_NAME), json);
  }

  private static String json(String versionId) {
    return "{\"version\": \"" + versionId + "\"}";
  }

  @Test
  void aPinnedDimensionGoesBackToThatVersionAndStaysUntilThePinIsTakenAway() throws Exception {
    DimensionService<String, Customer> service = world.open(world.request());
    try (DimensionReader<String, Customer> holds = service.reader();
        DimensionReader<String, Customer> reader = service.reader()) {
      String first = holds.version().id();
      publish("1|New Ada\n");
      world.refresh(service);
      reader.advance();
      assertThat(reader.find("1")).isEqualTo(NEW_ADA);

      pinOnDisk(json(first));
      world.clock.move(EngineWorld.INTERVAL);
      await()
          .until(
              () ->
                  reader.advance()
                      | service.statistics().served().orElseThrow().version().id().equals(first));
      reader.advance();
      assertThat(reader.find("1")).isEqualTo(ADA);
      assertThat(world.awaitEvent(DimensionEvent.PinChanged.class).versionId()).contains(first);
      world.refresh(service);
      assertThat(service.statistics().served().orElseThrow().age()).isZero();

      Files.delete(disk.resolve("customers").resolve(Pins.FILE_NAME));
      world.refresh(service);
      reader.advance();
      assertThat(reader.find("1")).isEqualTo(NEW_ADA);
      assertThat(world.events(DimensionEvent.PinChanged.class).get(1).versionId())
          .isEqualTo(Optional.empty());
    }
  }

  @Test
  void aPinOnSomethingThatIsNotKeptIsARefreshFailureAndTheServedVersionGoesOn() throws Exception {
    DimensionService<String, Customer> service = world.open(world.request());
    String first = service.statistics().served().orElseThrow().version().id();
    publish("1|New Ada\n");
    for (String pin :
        new String[] {
          json(first.substring(0, 8) + "0123456789abcdef"),
          json("../../etc"),
          "{\"versions\": 1}",
          "[]",
          "no json",
          " ".repeat(5000)
        }) {
      pinOnDisk(pin);
      world.refresh(service);
      assertThat(service.statistics().loads().latestFailure().orElseThrow())
          .as("the failure for %s", pin.strip())
          .startsWith("LEAT-5004: ");
    }
    assertThat(service.statistics().served().orElseThrow().version().id()).isEqualTo(first);
    assertThat(world.events(DimensionEvent.RefreshFailed.class))
        .allMatch(event -> event.code() == ErrorCode.PIN_UNUSABLE);
  }

  @Test
  void withARemoteTierThePinStandsThereAndASteeredLookFindsIt() throws Exception {
    SteeredDimension<String, Customer> steered = world.steer(world.request(world.tier()));
    KnownVersion first = steered.loadFirst().get(60, TimeUnit.SECONDS);
    steered.activate(first.id());
    await()
        .until(
            () ->
                world.cache.uris().stream().anyMatch(uri -> uri.endsWith(IndexManifest.FILE_NAME)));
    publish("1|New Ada\n");
    KnownVersion second =
        steered.prepare(steered.look().get(60, TimeUnit.SECONDS)).get(60, TimeUnit.SECONDS);
    steered.activate(second.id());
    steered.release(first.id());
    world.cache.put(MemoryTier.INDEX_ROOT + "/customers/" + Pins.FILE_NAME, json(first.id()));

    KnownVersion pinned = steered.look().get(60, TimeUnit.SECONDS);
    assertThat(pinned.id()).isEqualTo(first.id());
    assertThat(pinned.fingerprint()).isEqualTo(first.fingerprint());
    steered.prepare(pinned).get(60, TimeUnit.SECONDS);
    steered.activate(pinned.id());
    try (DimensionReader<String, Customer> reader = steered.reader()) {
      assertThat(reader.find("1")).isEqualTo(ADA);
    }
    // A tier that is away does not take the pin off.
    world.cache.fail("find", StoreException.Kind.UNAVAILABLE);
    assertThat(steered.look().get(60, TimeUnit.SECONDS).id()).isEqualTo(first.id());
  }

  @Test
  void aFreshStartBeginsWithThePinnedVersion() throws Exception {
    SteeredDimension<String, Customer> steered = world.steer(world.request());
    KnownVersion first = steered.loadFirst().get(60, TimeUnit.SECONDS);
    steered.close();
    pinOnDisk(json(first.id()));
    publish("1|New Ada\n");
    SteeredDimension<String, Customer> again = world.steer(world.request());
    assertThat(again.loadFirst().get(60, TimeUnit.SECONDS).id()).isEqualTo(first.id());
    again.close();
    pinOnDisk("{}");
    SteeredDimension<String, Customer> broken = world.steer(world.request());
    assertThatThrownBy(() -> broken.loadFirst().get(60, TimeUnit.SECONDS))
        .hasMessageContaining("LEAT-5004");
  }
}
