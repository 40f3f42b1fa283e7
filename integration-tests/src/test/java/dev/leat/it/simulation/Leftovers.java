package dev.leat.it.simulation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What stands in a dimension's directory on the disk of a host, looked at from outside. */
final class Leftovers {
  private static final String OWNER = "owner-";

  private final Path directory;

  Leftovers(Path directory) {
    this.directory = directory;
  }

  /** All files and directories directly in it, and the recordings. */
  private List<Path> entries() {
    List<Path> entries = new ArrayList<>();
    for (Path each : List.of(directory, directory.resolve("recorded"))) {
      if (Files.isDirectory(each)) {
        try (Stream<Path> paths = Files.list(each)) {
          paths.sorted().forEach(entries::add);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
    return entries;
  }

  private static String name(Path path) {
    return String.valueOf(path.getFileName());
  }

  /** The tokens of those who are in it. */
  Set<String> owners() {
    Set<String> tokens = new HashSet<>();
    for (Path entry : entries()) {
      if (name(entry).startsWith(OWNER)) {
        tokens.add(name(entry).substring(OWNER.length()));
      }
    }
    return tokens;
  }

  /** What is left although nobody is in it any more. */
  List<String> claims() {
    return entries().stream()
        .map(Leftovers::name)
        .filter(
            name ->
                name.startsWith(OWNER)
                    || name.startsWith("gone-")
                    || name.contains(".use-")
                    || name.contains(".new-"))
        .toList();
  }

  private List<Path> shards(String version) {
    Path index = directory.resolve(version);
    if (!Files.isDirectory(index)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(index)) {
      return files.filter(file -> name(file).endsWith(".leat")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Flips a bit of a version's file. */
  boolean flip(String version, Random random) {
    List<Path> shards = shards(version);
    return !shards.isEmpty() && flip(shards.get(random.nextInt(shards.size())), random);
  }

  private static boolean flip(Path file, Random random) {
    try {
      byte[] bytes = Files.readAllBytes(file);
      if (bytes.length == 0) {
        return false;
      }
      int at = random.nextInt(bytes.length);
      bytes[at] ^= (byte) (1 << random.nextInt(8));
      // Over the bytes that are mapped, and never shorter: a mapping beyond the end ends a process.
      try (var channel = Files.newByteChannel(file, java.nio.file.StandardOpenOption.WRITE)) {
        channel.position(at).write(java.nio.ByteBuffer.wrap(bytes, at, 1));
      }
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Damages any file while nobody uses the directory; says which way. */
  String damage(Random random) {
    List<Path> files = new ArrayList<>();
    if (Files.isDirectory(directory)) {
      try (Stream<Path> all = Files.walk(directory)) {
        all.filter(Files::isRegularFile)
            .filter(file -> !name(file).startsWith(OWNER))
            .sorted()
            .forEach(files::add);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    if (files.isEmpty()) {
      return "nothing to damage";
    }
    Path file = files.get(random.nextInt(files.size()));
    int how = random.nextInt(3);
    try {
      if (how == 0) {
        Files.delete(file);
        return "a file is deleted";
      }
      if (how == 1) {
        byte[] bytes = Files.readAllBytes(file);
        Files.write(file, java.util.Arrays.copyOf(bytes, random.nextInt(bytes.length + 1)));
        return "a file is cut";
      }
      flip(file, random);
      return "a bit is flipped";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Keeps what bears a token, to put it back as what a dead process has left. */
  Kept keep(String token) throws IOException {
    return new Kept(token);
  }

  /** What a process had claimed and half written at a moment. */
  final class Kept implements AutoCloseable {
    private final String token;
    private final Path copies;
    private final List<Path> kept = new ArrayList<>();

    private Kept(String token) throws IOException {
      this.token = token;
      this.copies = Files.createTempDirectory(directory.getParent().getParent(), "kept-");
      for (Path entry : entries()) {
        if (!token.isEmpty() && name(entry).endsWith(token)) {
          copy(entry, copies.resolve(String.valueOf(kept.size())));
          kept.add(entry);
        }
      }
    }

    /** Under a token that no process of this machine has. */
    void putBack() throws IOException {
      String dead = "0-0-" + UUID.randomUUID().toString().substring(0, 8);
      for (int i = 0; i < kept.size(); i++) {
        Path entry = kept.get(i);
        String name = name(entry).replace(token, dead);
        Files.createDirectories(entry.getParent());
        copy(copies.resolve(String.valueOf(i)), entry.resolveSibling(name));
      }
    }

    @Override
    public void close() throws IOException {
      delete(copies);
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path each : all.toList()) {
        Files.copy(
            each,
            to.resolve(from.relativize(each).toString()),
            StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  /** Deletes a directory and all below it. */
  static void delete(Path tree) throws IOException {
    Files.walkFileTree(
        tree,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e)
              throws IOException {
            Files.delete(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
