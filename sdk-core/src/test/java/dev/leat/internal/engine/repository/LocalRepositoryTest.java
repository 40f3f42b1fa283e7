package dev.leat.internal.engine.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leat.DataSize;
import dev.leat.ErrorCode;
import dev.leat.LeatException;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalRepositoryTest {
  private static final DataSize BUDGET = DataSize.ofMebibytes(100);

  @TempDir Path disk;

  private List<String> names() throws Exception {
    try (Stream<Path> paths = Files.list(disk.resolve("root/customers"))) {
      return paths.map(path -> String.valueOf(path.getFileName())).sorted().toList();
    }
  }

  private LocalRepository open() {
    return LocalRepository.open(disk.resolve("root"), "customers", BUDGET);
  }

  @Test
  void itsDirectoriesAreForTheirOwnerOnly() throws Exception {
    try (LocalRepository repository = open()) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(disk.resolve("root"))))
          .isEqualTo("rwx------");
      assertThat(
              PosixFilePermissions.toString(Files.getPosixFilePermissions(repository.directory())))
          .isEqualTo("rwx------");
    }
    assertThat(names()).isEmpty();
  }

  @Test
  void aPathThatIsNoDirectoryIsAnErrorThatSaysWhatToDo() throws Exception {
    Files.writeString(disk.resolve("root"), "a file");
    assertThatThrownBy(this::open)
        .isInstanceOfSatisfying(
            LeatException.class, e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.DISK_UNUSABLE))
        .hasMessageContaining("LocalDisk.at");
  }

  @Test
  void whatADeadProcessLeftIsRemovedByTheNextOne() throws Exception {
    Path directory = Files.createDirectories(disk.resolve("root/customers"));
    // A process number that was given out to nobody, and one of this very process's number from an
    // earlier start.
    for (String dead :
        List.of("4194305-17-aaaaaaaa", ProcessHandle.current().pid() + "-1-bbbbbbbb")) {
      Files.createFile(directory.resolve("owner-" + dead));
      Files.writeString(
          Files.createDirectories(directory.resolve("v1.new-" + dead + "/work")).resolve("spill"),
          "half");
      Files.createFile(directory.resolve("v0.use-" + dead));
    }
    Files.createDirectories(directory.resolve("gone-1/deep"));
    try (LocalRepository repository = open()) {
      assertThat(names()).allMatch(name -> name.startsWith("owner-")).hasSize(1);
      assertThat(repository.directory()).isEqualTo(directory);
    }
  }

  @Test
  void whatALivingOwnerHasIsLeftAlone() throws Exception {
    try (LocalRepository one = open()) {
      Path halfWritten = one.begin("v1");
      Files.writeString(halfWritten.resolve("shard"), "half");
      try (LocalRepository two = open()) {
        assertThat(two.begin("v1")).isNotEqualTo(halfWritten);
        assertThat(halfWritten.resolve("shard")).exists();
        two.discard(two.begin("v1"));
      }
      one.discard(halfWritten);
    }
    assertThat(names()).isEmpty();
  }

  @Test
  void whatALivingProcessHasIsLeftAloneAndRemovedWhenItWasKilled() throws Exception {
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Holder.class.getName(),
                disk.resolve("root").toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader out =
        new BufferedReader(new InputStreamReader(other.getInputStream(), StandardCharsets.UTF_8))) {
      assertThat(out.readLine()).isEqualTo("ready");
      open().close();
      assertThat(names())
          .anyMatch(name -> name.startsWith("v1.new-"))
          .anyMatch(name -> name.startsWith("owner-"));
      try (LocalRepository repository = open();
          VersionLock lock = repository.lock("v1")) {
        assertThat(lock.tryAcquire()).isFalse();
        other.destroyForcibly().waitFor();
        assertThat(lock.tryAcquire()).isTrue();
      }
      open().close();
      assertThat(names()).containsExactly("v1.lock");
    } finally {
      other.destroyForcibly().waitFor();
    }
  }

  /** Another process, which holds a lock and a half-written index until it is killed. */
  static final class Holder {
    private Holder() {}

    public static void main(String[] args) throws Exception {
      LocalRepository repository = LocalRepository.open(Path.of(args[0]), "customers", BUDGET);
      Files.writeString(repository.begin("v1").resolve("shard"), "half");
      VersionLock lock = repository.lock("v1");
      if (lock.tryAcquire()) {
        System.out.println("ready");
      }
      System.in.read();
      lock.close();
    }
  }

  @Test
  void whenAVersionWasSeenOutlivesTheProcess() throws Exception {
    Instant when = Instant.parse("2026-03-04T05:06:07Z");
    try (LocalRepository repository = open()) {
      assertThat(repository.lastSeen("v1")).isEmpty();
      repository.markSeen("v1", when);
    }
    try (LocalRepository repository = open()) {
      assertThat(repository.lastSeen("v1")).contains(when);
    }
  }

  @Test
  void anIndexThatIsWrittenAlreadyNeedsNoFurtherRoomOnTheDisk() {
    long moreThanAnyDisk = 1L << 59;
    try (LocalRepository repository =
        LocalRepository.open(
            disk.resolve("root"), "customers", DataSize.ofBytes(moreThanAnyDisk))) {
      assertThatThrownBy(() -> repository.makeRoom(moreThanAnyDisk, "v1"))
          .isInstanceOfSatisfying(
              LeatException.class, e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.DISK_FULL))
          .hasMessageContaining("free on the disk");
      repository.makeRoomInBudget(moreThanAnyDisk, "v1");
      assertThatThrownBy(() -> repository.makeRoomInBudget(moreThanAnyDisk + 1, "v1"))
          .isInstanceOfSatisfying(
              LeatException.class, e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.DISK_FULL))
          .hasMessageContaining("the budget");
    }
  }
}
