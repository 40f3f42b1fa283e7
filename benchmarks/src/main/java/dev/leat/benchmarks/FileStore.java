package dev.leat.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** A peer that keeps the table in files: a value of bytes for a key of bytes. */
abstract class FileStore<K, D> implements Store<K, D> {
  private final Dataset<K, D> dataset;
  private final Path directory;

  FileStore(Dataset<K, D> dataset, Path directory) {
    this.dataset = dataset;
    this.directory = directory;
  }

  final Dataset<K, D> dataset() {
    return dataset;
  }

  final Path directory() {
    return directory;
  }

  @Override
  public final void load() throws Exception {
    Files.createDirectories(directory);
    write(new ValueCells(dataset));
  }

  /** Writes all rows and gets ready to read. */
  abstract void write(ValueCells cells) throws Exception;

  @Override
  public final long bytesOutsideHeap() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      long sum = 0;
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        sum += Files.size(file);
      }
      return sum;
    }
  }
}
