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

/** Hive's serdes and input formats, in a process of their own. */
final class HiveOracle implements AutoCloseable {
  private final Path directory;
  private final TestServer server;

  HiveOracle(Path directory, String... jvmFlags) {
    this.directory = directory;
    TestServer.Builder builder =
        TestServer.of(ServerKind.HIVE_TEXT).logTo(directory.resolve("oracle.log"));
    for (String flag : jvmFlags) {
      builder.jvmFlag(flag);
    }
    this.server = builder.start();
  }

  /**
   * What Hive makes of a row.
   *
   * @param cells the cells as text, or empty where Hive gives up
   * @param error why it gives up, or null
   */
  record Row(@Nullable String[] cells, @Nullable String error) {}

  /** The rows of a file, header and footer lines included, each with its cells as text. */
  List<@Nullable String[]> read(Properties table, int columns, Path file) throws IOException {
    return rows(table, columns, file).stream()
        .map(
            row -> {
              if (row.error() != null) {
                throw new AssertionError("Hive gave up: " + row.error());
              }
              return row.cells();
            })
        .toList();
  }

  /** The rows of a file, also those with which Hive gives up. */
  List<Row> rows(Properties table, int columns, Path file) throws IOException {
    Path properties = directory.resolve("table.properties");
    try (Writer writer = Files.newBufferedWriter(properties, StandardCharsets.UTF_8)) {
      table.store(writer, null);
    }
    Path answer = directory.resolve("answer.bin");
    server.run("read " + properties + " " + file + " " + answer);
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(answer)))) {
      List<Row> rows = new ArrayList<>();
      while (in.readByte() == 1) {
        if (in.readByte() == 1) {
          rows.add(new Row(new String[0], cell(in)));
          continue;
        }
        @Nullable String[] cells = new String[columns];
        for (int i = 0; i < columns; i++) {
          cells[i] = cell(in);
        }
        rows.add(new Row(cells, null));
      }
      return rows;
    }
  }

  private static @Nullable String cell(DataInputStream in) throws IOException {
    return in.readBoolean()
        ? new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8)
        : null;
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
