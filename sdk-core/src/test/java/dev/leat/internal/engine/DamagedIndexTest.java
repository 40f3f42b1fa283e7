package dev.leat.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.event.DimensionEvent;
import dev.leat.internal.engine.EngineWorld.Customer;
import dev.leat.internal.index.IndexManifest;
import dev.leat.spi.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DamagedIndexTest {
  @TempDir Path disk;
  private EngineWorld world;

  @BeforeEach
  void open() {
    world = new EngineWorld(disk);
    StringBuilder rows = new StringBuilder();
    for (int i = 0; i < 1000; i++) {
      rows.append(i).append("|name of ").append(i).append('\n');
    }
    world.source.put(EngineWorld.TABLE + "a.txt", rows.toString());
  }

  @AfterEach
  void close() {
    world.close();
  }

  private List<Path> shards(String versionId) throws IOException {
    try (Stream<Path> files = Files.list(disk.resolve("customers").resolve(versionId))) {
      return files.filter(file -> !file.endsWith(IndexManifest.FILE_NAME)).toList();
    }
  }

  /** Overwrites most of each shard in place, so that mappings see it. */
  private void scribble(String versionId) throws IOException {
    for (Path shard : shards(versionId)) {
      try (FileChannel channel = FileChannel.open(shard, StandardOpenOption.WRITE)) {
        long size = channel.size();
        for (long at = size / 4; at < size; at += 7) {
          channel.write(ByteBuffer.wrap(new byte[] {(byte) 0xA5}), at);
        }
      }
    }
  }

  @Test
  void anIndexWithATruncatedShardIsBuiltAnewAtTheNextStart() throws Exception {
    DimensionService<String, Customer> service = world.open(world.request());
    String version = service.statistics().served().orElseThrow().version().id();
    service.close();
    Path shard = shards(version).get(0);
    try (FileChannel channel = FileChannel.open(shard, StandardOpenOption.WRITE)) {
      channel.truncate(channel.size() - 1);
    }
    DimensionService<String, Customer> again = world.open(world.request());
    assertThat(again.statistics().loads().built()).isEqualTo(1);
    assertThat(again.statistics().tiers().get("local-disk").damaged()).isEqualTo(1);
    assertThat(world.awaitEvent(DimensionEvent.IndexDamaged.class).tier()).isEqualTo("local-disk");
    try (DimensionReader<String, Customer> reader = again.reader()) {
      assertThat(reader.find("7")).isEqualTo(new Customer("7", "name of 7"));
    }
  }

  @Test
  void anIndexWithoutAManifestIsBuiltAnewAtTheNextStart() throws Exception {
    DimensionService<String, Customer> service = world.open(world.request());
    String version = service.statistics().served().orElseThrow().version().id();
    service.close();
    Files.delete(disk.resolve("customers").resolve(version).resolve(IndexManifest.FILE_NAME));
    assertThat(world.open(world.request()).statistics().loads().built()).isEqualTo(1);
  }

  @Test
  void aLookupThatMeetsADamagedBlockAnswersFromTheIndexThatIsBuiltAnew() throws Exception {
    DimensionService<String, Customer> service = world.open(world.request());
    try (DimensionReader<String, Customer> reader = service.reader();
        DimensionReader<String, Customer> batches = service.reader()) {
      scribble(reader.version().id());
      String[] keys = new String[1000];
      for (int i = 0; i < 1000; i++) {
        keys[i] = String.valueOf(i);
      }
      Customer[] rows = new Customer[1000];
      batches.findBatch(keys, rows, 1000);
      for (int i = 0; i < 1000; i++) {
        assertThat(reader.find(keys[i])).isEqualTo(new Customer(keys[i], "name of " + i));
        assertThat(rows[i]).isEqualTo(new Customer(keys[i], "name of " + i));
      }
      assertThat(service.statistics().loads().built()).isEqualTo(2);
      assertThat(world.events(DimensionEvent.IndexDamaged.class)).hasSize(1);
    }
  }

  @Test
  void aLookupThatMeetsADamagedBlockFetchesThePublishedIndexWhereThereIsOne() throws Exception {
    DimensionService<String, Customer> service = world.open(world.request(world.tier()));
    org.awaitility.Awaitility.await()
        .until(
            () ->
                world.cache.uris().stream().anyMatch(uri -> uri.endsWith(IndexManifest.FILE_NAME)));
    world.source.forgetOperations();
    try (DimensionReader<String, Customer> reader = service.reader()) {
      scribble(reader.version().id());
      for (int i = 0; i < 1000; i++) {
        assertThat(reader.find(String.valueOf(i)))
            .isEqualTo(new Customer(String.valueOf(i), "name of " + i));
      }
    }
    assertThat(service.statistics().loads().fetched()).isEqualTo(1);
    assertThat(world.source.operations("read")).isEmpty();
  }

  @Test
  void whereADamagedIndexCannotBeReplacedTheLookupFailsWithItsCodeAndALaterOneSucceeds()
      throws Exception {
    DimensionService<String, Customer> service = world.open(world.request());
    try (DimensionReader<String, Customer> reader = service.reader()) {
      scribble(reader.version().id());
      world.source.fail("list", StoreException.Kind.UNAVAILABLE);
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 1000; i++) {
                  assertThat(reader.find(String.valueOf(i)))
                      .isEqualTo(new Customer(String.valueOf(i), "name of " + i));
                }
              })
          .isInstanceOfSatisfying(
              LeatException.class,
              e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.INDEX_DAMAGED));
      world.source.heal();
      for (int i = 0; i < 1000; i++) {
        assertThat(reader.find(String.valueOf(i)))
            .isEqualTo(new Customer(String.valueOf(i), "name of " + i));
      }
    }
  }
}
