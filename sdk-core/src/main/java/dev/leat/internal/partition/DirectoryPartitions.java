package dev.leat.internal.partition;

import dev.leat.format.Column;
import dev.leat.internal.schema.SourceFiles;
import dev.leat.spi.Blob;
import dev.leat.spi.Partition;
import dev.leat.spi.PartitionSource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Partitions whose directories say the values, as Hive names them.
 *
 * @param columns the partition's columns, from the outermost directory to the innermost
 */
public record DirectoryPartitions(List<Column> columns) implements PartitionSource {
  /** How Hive names the directory of NULL and of the empty text. */
  static final String DEFAULT_PARTITION = "__HIVE_DEFAULT_PARTITION__";

  /** Checks the columns. */
  public DirectoryPartitions {
    columns = PartitionColumns.checked(columns);
  }

  @Override
  public String definition() {
    return "directories " + PartitionColumns.text(columns);
  }

  @Override
  public List<Partition> partitions(Table table) throws IOException {
    String base = withSlash(table.location().getRawPath());
    Map<String, Found> found = new LinkedHashMap<>();
    for (Blob file : table.list(table.location())) {
      String path = file.uri().getRawPath();
      if (!path.startsWith(base)) {
        continue;
      }
      List<@Nullable String> values = new ArrayList<>();
      int end = endOfPartition(path, base.length(), values);
      if (end > 0) {
        found
            .computeIfAbsent(path.substring(0, end), key -> new Found(values))
            .add(SourceFiles.isData(table.location(), file.uri()), file.modified());
      }
    }
    List<Partition> partitions = new ArrayList<>();
    found.forEach(
        (path, partition) -> partitions.add(partition.at(withPath(table.location(), path))));
    return partitions;
  }

  /** What is known of a directory. */
  private static final class Found {
    private final List<@Nullable String> values;
    private @Nullable Instant firstData;

    Found(List<@Nullable String> values) {
      this.values = values;
    }

    void add(boolean data, Instant modified) {
      if (data && (firstData == null || modified.isBefore(firstData))) {
        firstData = modified;
      }
    }

    Partition at(URI location) {
      Partition partition = Partition.at(location, values);
      return firstData == null ? partition : partition.createdAt(firstData);
    }
  }

  /**
   * Where the partition's directory ends in the path of a file, or 0 where the file is in none.
   *
   * @param values gets the values
   */
  private int endOfPartition(String path, int begin, List<@Nullable String> values) {
    int from = begin;
    for (Column column : columns) {
      int end = path.indexOf('/', from);
      int equals = path.indexOf('=', from);
      if (end < 0 || equals < 0 || equals > end) {
        return 0;
      }
      String name = unescaped(decoded(path.substring(from, equals)));
      if (!name.equalsIgnoreCase(column.name())) {
        return 0;
      }
      values.add(valueOf(unescaped(decoded(path.substring(equals + 1, end)))).orElse(null));
      from = end + 1;
    }
    return from;
  }

  private static Optional<String> valueOf(String text) {
    return text.equals(DEFAULT_PARTITION) ? Optional.empty() : Optional.of(text);
  }

  /** The characters of a part of a raw path. */
  private static String decoded(String raw) {
    if (raw.indexOf('%') < 0) {
      return raw;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = 0; i < raw.length(); i++) {
      int value = escapeAt(raw, i);
      if (value >= 0) {
        bytes.write(value);
        i += 2;
      } else {
        bytes.writeBytes(Character.toString(raw.charAt(i)).getBytes(StandardCharsets.UTF_8));
      }
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  /** The characters for which Hive wrote {@code %} and two hexadecimal digits. */
  static String unescaped(String name) {
    StringBuilder text = new StringBuilder(name.length());
    for (int i = 0; i < name.length(); i++) {
      int value = escapeAt(name, i);
      if (value >= 0) {
        text.append((char) value);
        i += 2;
      } else {
        text.append(name.charAt(i));
      }
    }
    return text.toString();
  }

  private static int escapeAt(String text, int at) {
    if (text.charAt(at) != '%' || at + 2 >= text.length()) {
      return -1;
    }
    int high = Character.digit(text.charAt(at + 1), 16);
    int low = Character.digit(text.charAt(at + 2), 16);
    return high < 0 || low < 0 ? -1 : high * 16 + low;
  }

  private static String withSlash(String path) {
    return path.endsWith("/") ? path : path + "/";
  }

  private static URI withPath(URI location, String rawPath) {
    String authority = location.getRawAuthority();
    return URI.create(
        location.getScheme() + ":" + (authority == null ? "//" : "//" + authority) + rawPath);
  }
}
