package dev.leat.internal.partition;

import static java.util.Objects.requireNonNull;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.format.Column;
import dev.leat.internal.schema.SourceFiles;
import dev.leat.spi.Blob;
import dev.leat.spi.Partition;
import dev.leat.spi.PartitionSource.Table;
import java.io.IOException;
import java.io.Serializable;
import java.net.URI;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which of a table's partitions are taken.
 *
 * @param order by what the latest is chosen
 * @param timePattern how the values make a time, for {@link Order#TIME}; else empty
 * @param marker the name of the file without which a partition is passed over, or empty
 */
public record PartitionSelection(Order order, String timePattern, String marker)
    implements Serializable {

  /** All partitions. */
  public static final PartitionSelection ALL = new PartitionSelection(Order.NONE, "", "");

  private static final Pattern PLACEHOLDER = Pattern.compile("\\$([A-Za-z_][A-Za-z0-9_]*)");
  private static final DateTimeFormatter TIME =
      new DateTimeFormatterBuilder()
          .appendValue(ChronoField.YEAR, 4)
          .appendLiteral('-')
          .appendValue(ChronoField.MONTH_OF_YEAR, 1, 2, java.time.format.SignStyle.NORMAL)
          .appendLiteral('-')
          .appendValue(ChronoField.DAY_OF_MONTH, 1, 2, java.time.format.SignStyle.NORMAL)
          .optionalStart()
          .appendLiteral(' ')
          .appendValue(ChronoField.HOUR_OF_DAY, 1, 2, java.time.format.SignStyle.NORMAL)
          .appendLiteral(':')
          .appendValue(ChronoField.MINUTE_OF_HOUR, 1, 2, java.time.format.SignStyle.NORMAL)
          .appendLiteral(':')
          .appendValue(ChronoField.SECOND_OF_MINUTE, 1, 2, java.time.format.SignStyle.NORMAL)
          .optionalEnd()
          .parseDefaulting(ChronoField.HOUR_OF_DAY, 0)
          .parseDefaulting(ChronoField.MINUTE_OF_HOUR, 0)
          .parseDefaulting(ChronoField.SECOND_OF_MINUTE, 0)
          .toFormatter(Locale.ROOT);

  /** By what the latest partition is chosen. */
  public enum Order {
    /** All are taken. */
    NONE,
    /** By the values of the columns. */
    VALUES,
    /** By a time that the values make. */
    TIME,
    /** By the time of creation. */
    CREATION
  }

  /** The same, with the latest chosen by the values. */
  public PartitionSelection latestByValues() {
    return new PartitionSelection(Order.VALUES, "", marker);
  }

  /** The same, with the latest chosen by the time of creation. */
  public PartitionSelection latestByCreation() {
    return new PartitionSelection(Order.CREATION, "", marker);
  }

  /** The same, with the latest chosen by a time that the values make. */
  public PartitionSelection latestByTime(List<Column> columns, String pattern) {
    requireNonNull(pattern, "pattern");
    Matcher placeholders = PLACEHOLDER.matcher(pattern);
    boolean any = false;
    while (placeholders.find()) {
      any = true;
      if (columnOf(columns, placeholders.group(1)).isEmpty()) {
        throw new IllegalArgumentException(
            "the time pattern '"
                + pattern
                + "' has $"
                + placeholders.group(1)
                + ", and the partition's columns are "
                + columns.stream().map(Column::name).toList());
      }
    }
    if (!any) {
      throw new IllegalArgumentException(
          "the time pattern '"
              + pattern
              + "' names no column; write e.g. $dt, or $year-$month-$day $hour:00:00");
    }
    return new PartitionSelection(Order.TIME, pattern, marker);
  }

  private static Optional<Integer> columnOf(List<Column> columns, String name) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).name().equalsIgnoreCase(name)) {
        return Optional.of(i);
      }
    }
    return Optional.empty();
  }

  /** The same, without the partitions that lack a file. */
  public PartitionSelection whenMarked(String fileName) {
    if (requireNonNull(fileName, "fileName").isBlank() || fileName.contains("/")) {
      throw new IllegalArgumentException(
          "'" + fileName + "' is no name of a file in a directory; use e.g. _SUCCESS");
    }
    return new PartitionSelection(order, timePattern, fileName);
  }

  /** What it adds to the definition of a source of partitions; empty where it takes all. */
  public String definition() {
    return (order == Order.NONE ? "" : " latest by " + order)
        + (timePattern.isEmpty() ? "" : " " + PartitionColumns.quoted(timePattern))
        + (marker.isEmpty() ? "" : " when marked " + PartitionColumns.quoted(marker));
  }

  /** Takes some of the partitions of a table. */
  public List<Partition> select(List<Column> columns, List<Partition> all, Table table)
      throws IOException {
    if (equals(ALL)) {
      return all;
    }
    List<Partition> marked = new ArrayList<>();
    for (Partition partition : all) {
      if (marker.isEmpty() || isMarked(partition, table)) {
        marked.add(partition);
      }
    }
    Comparator<Partition> byValues = PartitionOrder.of(columns);
    return switch (order) {
      case NONE -> marked;
      case VALUES -> last(marked, partition -> Optional.of(partition), byValues, false, table);
      case CREATION ->
          last(marked, Partition::created, Comparator.<Instant>naturalOrder(), byValues, table);
      case TIME ->
          last(
              marked,
              partition -> timeOf(columns, partition),
              Comparator.<LocalDateTime>naturalOrder(),
              true,
              table);
    };
  }

  private boolean isMarked(Partition partition, Table table) throws IOException {
    String path = withSlash(table.locate(partition.location()).getPath()) + marker;
    for (Blob file : table.list(partition.location())) {
      if (file.uri().getPath().equals(path)) {
        return true;
      }
    }
    return false;
  }

  private static <T> List<Partition> last(
      List<Partition> partitions,
      Function<Partition, Optional<T>> rank,
      Comparator<T> order,
      Comparator<Partition> amongEqual,
      Table table)
      throws IOException {
    List<Partition> tied = last(partitions, rank, order, true, table);
    return last(tied, Optional::of, amongEqual, false, table);
  }

  /** The partitions of the highest rank among those that have a rank and data. */
  private static <T> List<Partition> last(
      List<Partition> partitions,
      Function<Partition, Optional<T>> rank,
      Comparator<T> order,
      boolean allOfEqualRank,
      Table table)
      throws IOException {
    record Ranked<R>(Partition partition, R rank) {}
    List<Ranked<T>> ranked = new ArrayList<>();
    for (Partition partition : partitions) {
      rank.apply(partition).ifPresent(value -> ranked.add(new Ranked<>(partition, value)));
    }
    ranked.sort(Comparator.comparing((Ranked<T> each) -> each.rank(), order).reversed());
    List<Partition> taken = new ArrayList<>();
    @Nullable T highest = null;
    for (Ranked<T> each : ranked) {
      if (highest != null && (!allOfEqualRank || order.compare(each.rank(), highest) != 0)) {
        break;
      }
      if (hasData(each.partition(), table)) {
        highest = each.rank();
        taken.add(each.partition());
      }
    }
    return taken;
  }

  private static boolean hasData(Partition partition, Table table) throws IOException {
    URI location = table.locate(partition.location());
    for (Blob file : table.list(partition.location())) {
      if (file.length() > 0 && SourceFiles.isData(location, file.uri())) {
        return true;
      }
    }
    return false;
  }

  private Optional<LocalDateTime> timeOf(List<Column> columns, Partition partition) {
    StringBuilder text = new StringBuilder();
    Matcher placeholders = PLACEHOLDER.matcher(timePattern);
    while (placeholders.find()) {
      String value = partition.values().get(columnOf(columns, placeholders.group(1)).orElseThrow());
      if (value == null) {
        return Optional.empty();
      }
      placeholders.appendReplacement(text, Matcher.quoteReplacement(value));
    }
    placeholders.appendTail(text);
    try {
      return Optional.of(LocalDateTime.parse(text, TIME));
    } catch (DateTimeParseException e) {
      throw new LeatException(
          ErrorCode.INVALID_DEFINITION,
          "the values of "
              + partition
              + " make '"
              + text
              + "' by the pattern '"
              + timePattern
              + "', which is no time; they must make yyyy-MM-dd or yyyy-MM-dd HH:mm:ss",
          e);
    }
  }

  private static String withSlash(String path) {
    return path.endsWith("/") ? path : path + "/";
  }
}
