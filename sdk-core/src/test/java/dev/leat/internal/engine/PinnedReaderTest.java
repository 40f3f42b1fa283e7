package dev.leat.internal.engine;

import static dev.leat.internal.engine.EngineWorld.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leat.DataSize;
import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.event.DimensionEvent;
import dev.leat.event.DimensionStatistics.Lookups;
import dev.leat.internal.engine.EngineWorld.Customer;
import dev.leat.internal.engine.SharedService.Following;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PinnedReaderTest {
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
  void aClosedReaderThrowsAndTakesNoPinFromAnother() throws Exception {
    DimensionService<String, Customer> service = world.open(world.request());
    try (DimensionReader<String, Customer> other = service.reader()) {
      DimensionReader<String, Customer> reader = service.reader();
      assertThat(reader.find("1")).isEqualTo(new Customer("1", "Ada"));
      reader.close();
      reader.close();
      world.source.put(EngineWorld.TABLE + "a.txt", "1|New Ada\n");
      world.refresh(service);
      assertThatThrownBy(() -> reader.find("1"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("closed");
      assertThatThrownBy(() -> reader.findAll("1", row -> {}))
          .isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> reader.findBatch(new String[] {"1"}, new Customer[1], 1))
          .isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(reader::advance).isInstanceOf(IllegalStateException.class);
      assertThat(world.events(DimensionEvent.VersionRetired.class)).isEmpty();
      assertThat(other.find("1")).isEqualTo(new Customer("1", "Ada"));
      assertThat(other.advance()).isTrue();
      assertThat(other.find("1")).isEqualTo(new Customer("1", "New Ada"));
    }
  }

  @Test
  void aReaderByShapesMovesWithTheVersionsAndIsCounted() throws Exception {
    DimensionService<String, Customer> service = world.open(world.request());
    try (DimensionReader<Integer, String> reader =
        service.reader(
            (key, cells) -> {
              cells.setText(0, key.toString());
              return key != 0;
            },
            cells -> new String(cells.bytes(1), StandardCharsets.UTF_8))) {
      assertThat(reader.find(1)).isEqualTo("Ada");
      assertThat(reader.find(0)).isNull();
      assertThat(reader.find(null)).isNull();
      world.source.put(EngineWorld.TABLE + "a.txt", "1|New Ada\n");
      world.refresh(service);
      assertThat(reader.find(1)).isEqualTo("Ada");
      assertThat(reader.advance()).isTrue();
      assertThat(reader.find(1)).isEqualTo("New Ada");
      assertThat(service.statistics().lookups()).isEqualTo(new Lookups(3, 1, 1));
    }
  }

  /** A reader that says which thread makes a lookup, before it is made. */
  private static DimensionReader<String, Customer> reader(
      SharedService<String, Customer> service, Track track, Consumer<Thread> makers) {
    return service.reader(
        track,
        index -> {
          makers.accept(Thread.currentThread());
          return index.lookup(String.class, Customer.class);
        });
  }

  private void followTheSourceToAnotherVersion(Consumer<Thread> makers) throws Exception {
    SharedService<String, Customer> service = world.startShared(Following.THE_SOURCE);
    try {
      service.awaitFirstVersion();
      try (DimensionReader<String, Customer> reader = reader(service, service.track(), makers)) {
        world.source.put(EngineWorld.TABLE + "a.txt", "1|New Ada\n");
        world.clock.move(EngineWorld.INTERVAL);
        await().pollInSameThread().until(reader::advance);
        assertThat(reader.find("1")).isEqualTo(new Customer("1", "New Ada"));
      }
    } finally {
      service.close();
    }
  }

  @Test
  void whoFollowsTheSourceFindsTheNextLookupMade() throws Exception {
    List<String> makers = new CopyOnWriteArrayList<>();
    followTheSourceToAnotherVersion(maker -> makers.add(maker.getName()));
    assertThat(makers).containsExactly(Thread.currentThread().getName(), "leat-customers");
  }

  @Test
  void aLookupThatCannotBeMadeAheadIsMadeByTheReader() throws Exception {
    Thread own = Thread.currentThread();
    AtomicInteger failures = new AtomicInteger();
    followTheSourceToAnotherVersion(
        maker -> {
          if (maker != own) {
            failures.incrementAndGet();
            throw new OutOfMemoryError("of the test");
          }
        });
    assertThat(failures).hasValue(1);
  }

  @Test
  void whoFollowsOrdersFindsTheLookupOfAPreparedVersionMade() throws Exception {
    SharedService<String, Customer> service = world.startShared(Following.ORDERS);
    Steering steering = service.steer();
    String own = Thread.currentThread().getName();
    List<String> makers = new CopyOnWriteArrayList<>();
    try {
      KnownVersion first = get(steering.loadFirst());
      steering.activate(first.id());
      try (DimensionReader<String, Customer> reader =
          reader(service, steering.track(), maker -> makers.add(maker.getName()))) {
        world.source.put(EngineWorld.TABLE + "a.txt", "1|New Ada\n");
        KnownVersion next = get(steering.prepare(get(steering.look())));
        assertThat(makers).containsExactly(own, "leat-customers");
        assertThat(reader.find("1")).isEqualTo(new Customer("1", "Ada"));
        steering.activate(next.id());
        assertThat(reader.advance()).isTrue();
        assertThat(reader.find("1")).isEqualTo(new Customer("1", "New Ada"));
        assertThat(makers).containsExactly(own, "leat-customers");
        // Back to what nobody has prepared.
        steering.activate(first.id());
        assertThat(reader.advance()).isTrue();
        assertThat(reader.find("1")).isEqualTo(new Customer("1", "Ada"));
        assertThat(makers).containsExactly(own, "leat-customers", own);
      }
    } finally {
      service.leave(steering);
      service.close();
    }
  }

  @Test
  void hotRowsAreThoseOfTheVersionThatIsRead() throws Exception {
    DimensionService<String, Customer> service = world.open(world.request());
    try (DimensionReader<String, Customer> reader = service.reader(DataSize.ofMebibytes(1))) {
      Customer ada = reader.find("1");
      assertThat(reader.find("1")).isSameAs(ada);
      assertThat(reader.hotRowHits()).isEqualTo(1);
      world.source.put(EngineWorld.TABLE + "a.txt", "1|New Ada\n");
      world.refresh(service);
      assertThat(reader.find("1")).isSameAs(ada);
      assertThat(reader.advance()).isTrue();
      assertThat(reader.find("1")).isEqualTo(new Customer("1", "New Ada"));
      assertThat(reader.find("2")).isNull();
      assertThat(reader.hotRowHits()).isEqualTo(2);
      assertThat(service.statistics().lookups()).isEqualTo(new Lookups(4, 1, 0));
    }
  }

  @Test
  void aReceiverThatFailsIsNotTakenForADamagedIndex() throws Exception {
    DimensionService<String, Customer> service = world.open(world.request());
    try (DimensionReader<String, Customer> reader = service.reader()) {
      LeatException failure =
          new LeatException(ErrorCode.INDEX_DAMAGED, "of another dimension downstream");
      List<Customer> received = new ArrayList<>();
      assertThatThrownBy(
              () ->
                  reader.findAll(
                      "1",
                      row -> {
                        received.add(row);
                        throw failure;
                      }))
          .isSameAs(failure);
      assertThat(received).containsExactly(new Customer("1", "Ada"));
      assertThat(reader.findAll("2", received::add)).isEqualTo(1);
      assertThat(received).containsExactly(new Customer("1", "Ada"), new Customer("2", "Bob"));
      assertThat(service.statistics().loads().built()).isEqualTo(1);
      assertThat(world.events(DimensionEvent.IndexDamaged.class)).isEmpty();
    }
  }

  @Test
  void aListenerMayCloseTheDimension() throws Exception {
    DimensionService<String, Customer> service = world.open(world.request());
    CountDownLatch closed = new CountDownLatch(1);
    service.addListener(
        event -> {
          if (event instanceof DimensionEvent.VersionActivated) {
            service.close();
            closed.countDown();
          }
        });
    world.source.put(EngineWorld.TABLE + "a.txt", "1|New Ada\n");
    world.clock.move(EngineWorld.INTERVAL);
    assertThat(closed.await(20, TimeUnit.SECONDS)).isTrue();
    await().until(() -> world.onDisk().stream().noneMatch(name -> name.startsWith("owner-")));
  }
}
