package dev.leat.testserver.hivetext;

import com.github.luben.zstd.ZstdOutputStream;
import dev.leat.testserver.ChildProcess;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Reader;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.common.type.HiveDecimal;
import org.apache.hadoop.hive.common.type.Timestamp;
import org.apache.hadoop.hive.serde2.io.DateWritableV2;
import org.apache.hadoop.hive.serde2.io.HiveCharWritable;
import org.apache.hadoop.hive.serde2.io.HiveDecimalWritable;
import org.apache.hadoop.hive.serde2.io.TimestampWritableV2;
import org.apache.hadoop.hive.serde2.lazy.LazyPrimitive;
import org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe;
import org.apache.hadoop.hive.serde2.objectinspector.StructField;
import org.apache.hadoop.hive.serde2.objectinspector.StructObjectInspector;
import org.apache.hadoop.hive.serde2.typeinfo.DecimalTypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoUtils;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionCodecFactory;
import org.apache.hadoop.mapred.FileSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.LineRecordReader;
import org.jspecify.annotations.Nullable;

/**
 * Reads text files with Hadoop's {@code LineRecordReader} and Hive's {@code LazySimpleSerDe} until
 * standard input ends.
 *
 * <p>Commands: {@code read properties file answer}, with the table's properties as Hive has them
 * and the paths of files, writes the rows to {@code answer}: for each row its cells as text, each
 * as a flag (1, or 0 for NULL), a length and UTF-8; the number of rows stands first. {@code
 * compress file target} writes {@code target} with the codec that Hadoop finds by its name.
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
    LazySimpleSerDe serde = new LazySimpleSerDe();
    serde.initialize(null, table, null);
    StructObjectInspector inspector = (StructObjectInspector) serde.getObjectInspector();
    List<Text> lines = lines(file);
    try (DataOutputStream out =
        new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(answer)))) {
      out.writeInt(lines.size());
      for (Text line : lines) {
        Object row = serde.deserialize(line);
        for (StructField field : inspector.getAllStructFieldRefs()) {
          write(
              out,
              text(
                  (LazyPrimitive<?, ?>) inspector.getStructFieldData(row, field),
                  field.getFieldObjectInspector().getTypeName()));
        }
      }
    }
    return lines.size();
  }

  private static List<Text> lines(Path file) throws IOException {
    JobConf conf = new JobConf(new Configuration());
    List<Text> lines = new ArrayList<>();
    LineRecordReader reader =
        new LineRecordReader(
            conf,
            new FileSplit(
                new org.apache.hadoop.fs.Path(file.toUri()), 0, Files.size(file), (String[]) null));
    try {
      LongWritable key = reader.createKey();
      Text value = reader.createValue();
      while (reader.next(key, value)) {
        lines.add(new Text(value));
      }
    } finally {
      reader.close();
    }
    return lines;
  }

  private static void write(DataOutputStream out, @Nullable String cell) throws IOException {
    out.writeBoolean(cell != null);
    if (cell != null) {
      byte[] utf8 = cell.getBytes(StandardCharsets.UTF_8);
      out.writeInt(utf8.length);
      out.write(utf8);
    }
  }

  /** A cell as text that says its value and nothing of its form. */
  private static @Nullable String text(@Nullable LazyPrimitive<?, ?> cell, String type) {
    Object value = cell == null ? null : cell.getWritableObject();
    if (value == null) {
      return null;
    }
    if (value instanceof HiveDecimalWritable decimal) {
      HiveDecimal number = decimal.getHiveDecimal();
      int scale = ((DecimalTypeInfo) TypeInfoUtils.getTypeInfoFromTypeString(type)).scale();
      return number.bigDecimalValue().setScale(scale, RoundingMode.UNNECESSARY).toPlainString();
    }
    if (value instanceof HiveCharWritable character) {
      return character.getPaddedValue().toString();
    }
    if (value instanceof DateWritableV2 date) {
      return LocalDate.ofEpochDay(date.getDays()).toString();
    }
    if (value instanceof TimestampWritableV2 writable) {
      Timestamp timestamp = writable.getTimestamp();
      return LocalDateTime.ofEpochSecond(
              timestamp.toEpochSecond(), timestamp.getNanos(), ZoneOffset.UTC)
          .toString();
    }
    if (value instanceof BytesWritable bytes) {
      return HexFormat.of().formatHex(bytes.getBytes(), 0, bytes.getLength());
    }
    return value.toString();
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
