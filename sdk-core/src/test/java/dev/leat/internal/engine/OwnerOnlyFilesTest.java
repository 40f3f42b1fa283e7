package dev.leat.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leat.LocalDisk;
import dev.leat.internal.engine.EngineWorld.Customer;
import dev.leat.internal.index.IndexManifest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnerOnlyFilesTest {
  @TempDir Path temporary;
  private Path disk;
  private EngineWorld world;

  /** What was seen on the disk, and its permissions. */
  private final Map<String, String> seen = new ConcurrentSkipListMap<>();

  @BeforeEach
  void open() {
    disk = temporary.resolve("a/leat");
    world = new EngineWorld(disk);
    for (int file = 0; file < 3; file++) {
      StringBuilder rows = new StringBuilder();
      for (int i = 0; i < 20; i++) {
        rows.append(file * 20 + i).append("|a name that is ").append(i).append('\n');
      }
      world.source.put(EngineWorld.TABLE + "part-" + file, rows.toString());
    }
  }

  @AfterEach
  void close() {
    world.close();
  }

  /** Looks at all that is there; a file may go at any moment. */
  private void look() {
    try (Stream<Path> all = Files.walk(temporary.resolve("a"))) {
      all.forEach(
          path -> {
            try {
              String kind = Files.isDirectory(path) ? "directory " : "file ";
              seen.put(
                  kind + temporary.relativize(path),
                  PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
            } catch (NoSuchFileException e) {
              assertThat(e.getFile()).isNotEmpty();
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    } catch (UncheckedIOException e) {
      assertThat(e.getCause()).isInstanceOf(NoSuchFileException.class);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void allThatIsMadeWhileAnIndexIsBuiltPublishedFetchedAndReplacedIsForItsOwnerOnly()
      throws Exception {
    world.source.before("", operation -> look());
    world.cache.before("", operation -> look());
    DimensionService<String, Customer> service = world.open(world.request(world.tier()));
    look();
    await()
        .until(
            () ->
                world.cache.uris().stream().anyMatch(uri -> uri.endsWith(IndexManifest.FILE_NAME)));
    world.source.put(EngineWorld.TABLE + "part-0", "1|Ada\n");
    world.refresh(service);
    await().until(() -> service.statistics().loads().loads() == 2);
    look();
    Path other = temporary.resolve("a/other");
    DimensionService<String, Customer> fetching =
        world.open(world.request(LocalDisk.at(other), world.tier()));
    look();
    assertThat(fetching.statistics().served()).isPresent();

    Set<String> kinds = new ConcurrentSkipListSet<>();
    seen.forEach(
        (path, permissions) -> {
          assertThat(permissions)
              .as(path)
              .isEqualTo(path.startsWith("directory ") ? "rwx------" : "rw-------");
          for (String part :
              new String[] {
                "owner-", ".lock", ".seen", ".use-", ".new-", "recorded/", "manifest.json", "shard-"
              }) {
            if (path.contains(part)) {
              kinds.add(part);
            }
          }
        });
    assertThat(kinds)
        .containsExactlyInAnyOrder(
            "owner-", ".lock", ".seen", ".use-", ".new-", "recorded/", "manifest.json", "shard-");
  }

  @Test
  void whatOthersMayDoInTheDimensionsDirectoryIsTakenFromThem() throws Exception {
    Path directory = Files.createDirectories(disk.resolve("customers"));
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
    Files.setPosixFilePermissions(disk, PosixFilePermissions.fromString("rwxr-xr-x"));
    world.open(world.request());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
        .isEqualTo("rwx------");
    // The root is its owner's affair.
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(disk)))
        .isEqualTo("rwxr-xr-x");
  }
}
