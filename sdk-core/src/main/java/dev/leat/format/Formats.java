package dev.leat.format;

import static java.util.Objects.requireNonNull;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.spi.FormatOptions;
import dev.leat.spi.RowFormat;
import dev.leat.spi.RowFormatFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;

/** The formats on the class path by name, for those who write options instead of Java. */
public final class Formats {
  /** Those that are in artifacts of their own, {@code leat-} and this name. */
  private static final Set<String> APART = Set.of("avro", "orc", "parquet");

  private Formats() {}

  /**
   * The factories on the class path of the current thread's context class loader and of Leat,
   * sorted by identifier.
   */
  public static List<RowFormatFactory> available() {
    Map<String, RowFormatFactory> byName = new TreeMap<>();
    List<ClassLoader> loaders = new ArrayList<>();
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    if (context != null) {
      loaders.add(context);
    }
    loaders.add(Formats.class.getClassLoader());
    for (ClassLoader loader : loaders) {
      for (RowFormatFactory factory : ServiceLoader.load(RowFormatFactory.class, loader)) {
        byName.putIfAbsent(factory.identifier(), factory);
      }
    }
    return List.copyOf(byName.values());
  }

  /**
   * Finds a format.
   *
   * @throws LeatException {@code FORMAT_NOT_FOUND} if it is in an artifact that is not on the class
   *     path, {@code INVALID_DEFINITION} if there is none of this name; the message lists those
   *     that there are
   */
  public static RowFormatFactory named(String identifier) {
    requireNonNull(identifier, "identifier");
    List<RowFormatFactory> available = available();
    return available.stream()
        .filter(factory -> factory.identifier().equals(identifier))
        .findFirst()
        .orElseThrow(() -> absent(identifier, available));
  }

  private static LeatException absent(String identifier, List<RowFormatFactory> available) {
    List<String> names = available.stream().map(RowFormatFactory::identifier).toList();
    if (APART.contains(identifier)) {
      return new LeatException(
          ErrorCode.FORMAT_NOT_FOUND,
          "the format '"
              + identifier
              + "' is not on the class path, only "
              + names
              + "; for Flink SQL put leat-sql-"
              + identifier
              + " beside leat-sql-connector into the lib folder of the JobManager, of every"
              + " TaskManager and of the SQL gateway or client; in Java add the dependency"
              + " dev.leat:leat-"
              + identifier);
    }
    return new LeatException(
        ErrorCode.INVALID_DEFINITION,
        "there is no format '"
            + identifier
            + "' on the class path; there are "
            + names
            + ", and avro, orc and parquet in artifacts of their own");
  }

  /**
   * Makes a format of options.
   *
   * @param identifier the name of the format, e.g. {@code text}
   * @param columns the columns that stand in the files of the table, in the order of the table,
   *     without those of its partitions
   * @param options the options of the format, without a prefix
   * @throws LeatException {@code FORMAT_NOT_FOUND} if the format is in an artifact that is not on
   *     the class path, {@code INVALID_DEFINITION} if there is no such format or option, or the
   *     value of an option makes no sense
   */
  public static RowFormat create(
      String identifier, List<Column> columns, Map<String, String> options) {
    RowFormatFactory factory = named(identifier);
    try {
      return factory.create(FormatOptions.of(factory, columns, options));
    } catch (IllegalArgumentException e) {
      throw new LeatException(
          ErrorCode.INVALID_DEFINITION,
          "the options of the format '" + identifier + "' make no sense: " + e.getMessage(),
          e);
    }
  }
}
