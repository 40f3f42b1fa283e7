package dev.leat.testserver.hivetext;

import com.github.luben.zstd.ZstdOutputStream;
import dev.leat.testserver.ChildProcess;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.serde2.SerDeException;
import org.apache.hadoop.hive.serde2.objectinspector.StructField;
import org.apache.hadoop.hive.serde2.objectinspector.StructObjectInspector;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionCodecFactory;
import org.jspecify.annotations.Nullable;

/**
 * Reads files with Hive's own serdes and input formats until standard input ends.
 *
 * <p>Commands: {@code read properties file answer}, with the table's properties as Hive has them
 * and the paths of files, writes the rows to {@code answer}: for each row a 1, then a 0 and its
 * cells as text, each as a flag (1, or 0 for NULL), a length and UTF-8, or a 1 and the error with
 * which Hive gives up; a 0 ends them. {@code compress file target} writes {@code target} with the
 * codec that Hadoop finds by its name.
 */
public final class HiveTextServer {

  private HiveTextServer() {}

  /**
   * Starts the server.
   *
   * @param args none
   */
  public static void main(String... args) {
    ChildProcess child = ChildProcess.takeStandardOutput();
    child.ready(Map.of());
    child.serveUntilInputEnds(HiveTextServer::run);
    System.exit(0); // whatever threads the libraries have left
  }

  private static String run(String line) throws Exception {
    String[] words = line.split(" ", -1);
    switch (words[0]) {
      case "read" -> {
        return Integer.toString(read(Path.of(words[1]), Path.of(words[2]), Path.of(words[3])));
      }
      case "compress" -> {
        compress(Path.of(words[1]), Path.of(words[2]));
        return "";
      }
      default -> throw new IllegalArgumentException("no command '" + words[0] + "'");
    }
  }

  private static int read(Path propertiesFile, Path file, Path answer) throws Exception {
    Properties table = new Properties();
    try (Reader reader = Files.newBufferedReader(propertiesFile, StandardCharsets.UTF_8)) {
      table.load(reader);
    }
    HiveTable opened = new HiveTable(table);
    StructObjectInspector inspector = opened.inspector();
    int rows = 0;
    try (DataOutputStream out =
            new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(answer)));
        HiveTable.Records records = opened.records(file)) {
      while (records.next()) {
        rows++;
        out.writeByte(1);
        List<@Nullable String> cells;
        try {
          cells = cells(opened.row(records.current()), inspector);
        } catch (SerDeException | RuntimeException e) {
          out.writeByte(1);
          write(out, e.toString());
          continue;
        }
        out.writeByte(0);
        for (String cell : cells) {
          write(out, cell);
        }
      }
      out.writeByte(0);
    }
    return rows;
  }

  private static List<@Nullable String> cells(
      @Nullable Object row, StructObjectInspector inspector) {
    List<@Nullable String> cells = new ArrayList<>();
    for (StructField field : inspector.getAllStructFieldRefs()) {
      cells.add(
          row == null
              ? null
              : ValueText.of(
                  inspector.getStructFieldData(row, field), field.getFieldObjectInspector()));
    }
    return cells;
  }

  private static void write(DataOutputStream out, @Nullable String cell) throws IOException {
    out.writeBoolean(cell != null);
    if (cell != null) {
      byte[] utf8 = cell.getBytes(StandardCharsets.UTF_8);
      out.writeInt(utf8.length);
      out.write(utf8);
    }
  }

  private static void compress(Path file, Path target) throws IOException {
    try (OutputStream raw = Files.newOutputStream(target)) {
      if (target.toString().endsWith(".zst")) {
        // Hadoop's own codec is native code that is not in its jars.
        try (OutputStream out = new ZstdOutputStream(raw)) {
          Files.copy(file, out);
        }
        return;
      }
      CompressionCodec codec =
          new CompressionCodecFactory(new Configuration())
              .getCodec(new org.apache.hadoop.fs.Path(target.toUri()));
      if (codec == null) {
        throw new IllegalArgumentException("Hadoop knows no codec for " + target);
      }
      try (OutputStream out = codec.createOutputStream(raw)) {
        Files.copy(file, out);
      }
    }
  }
}
