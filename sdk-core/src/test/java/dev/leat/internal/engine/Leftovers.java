package dev.leat.internal.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What this process holds of the files below a directory, as Linux tells it. */
final class Leftovers {

  private Leftovers() {}

  static List<String> mappingsBelow(Path directory) throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
      return lines.filter(line -> line.contains(directory.toString())).toList();
    }
  }

  static List<String> openFilesBelow(Path directory) throws IOException {
    List<String> open = new ArrayList<>();
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      for (Path descriptor : descriptors.toList()) {
        try {
          String target = Files.readSymbolicLink(descriptor).toString();
          if (target.startsWith(directory.toString())) {
            open.add(target);
          }
        } catch (NoSuchFileException e) {
          // Closed meanwhile: the one of this very listing.
          continue;
        }
      }
    }
    return open;
  }
}
