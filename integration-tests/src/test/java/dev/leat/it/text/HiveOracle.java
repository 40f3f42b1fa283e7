package dev.leat.it.text;

import dev.leat.testserver.ServerKind;
import dev.leat.testserver.TestServer;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** Hive's serde behind Hadoop's line reader, in a process of its own. */
final class HiveOracle implements AutoCloseable {
  private final Path directory;
  private final TestServer server;

  HiveOracle(Path directory) {
    this.directory = directory;
    this.server =
        TestServer.of(ServerKind.HIVE_TEXT).logTo(directory.resolve("oracle.log")).start();
  }

  /** The rows of a file, header and footer lines included, each with its cells as text. */
  List<@Nullable String[]> read(Properties table, int columns, Path file) throws IOException {
    Path properties = directory.resolve("table.properties");
    try (Writer writer = Files.newBufferedWriter(properties, StandardCharsets.UTF_8)) {
      table.store(writer, null);
    }
    Path answer = directory.resolve("answer.bin");
    server.run("read " + properties + " " + file + " " + answer);
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(answer)))) {
      List<@Nullable String[]> rows = new ArrayList<>();
      for (int remaining = in.readInt(); remaining > 0; remaining--) {
        @Nullable String[] row = new String[columns];
        for (int i = 0; i < columns; i++) {
          row[i] =
              in.readBoolean()
                  ? new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8)
                  : null;
        }
        rows.add(row);
      }
      return rows;
    }
  }

  /** Writes a file anew with the codec that Hadoop finds by the name of the target. */
  void compress(Path file, Path target) {
    server.run("compress " + file + " " + target);
  }

  @Override
  public void close() {
    server.close();
  }
}
