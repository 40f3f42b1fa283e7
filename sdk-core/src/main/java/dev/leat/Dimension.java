package dev.leat;

import static java.util.Objects.requireNonNull;

import dev.leat.format.Column;
import dev.leat.spi.PartitionSource;
import dev.leat.spi.RowFormat;
import dev.leat.spi.StoreSettings;
import java.io.Serializable;
import java.net.URI;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The definition of a dimension table: where its source of truth is, how its rows stand there, what
 * type they become, and by which key they are found.
 *
 * <p>A value: immutable, serializable, without live clients and without secrets. One definition can
 * be joined by any number of streams.
 *
 * @param <K> the type of the key: a scalar for one column, a record for several
 * @param <D> the type of a row
 */
public final class Dimension<K, D> implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,127}");

  private final Source<D> source;
  private final Class<K> keyType;
  private final List<String> keyColumns;
  private final MalformedRows malformedRows;
  private final @Nullable RowFilter filter;

  private Dimension(
      Source<D> source,
      Class<K> keyType,
      List<String> keyColumns,
      MalformedRows malformedRows,
      @Nullable RowFilter filter) {
    this.source = source;
    this.keyType = keyType;
    this.keyColumns = keyColumns;
    this.malformedRows = malformedRows;
    this.filter = filter;
  }

  /**
   * Begins a definition.
   *
   * @param name names the dimension in logs, metrics and in the paths of its indexes: letters,
   *     digits, {@code _ . -}, at most 128
   */
  public static NamedStage named(String name) {
    requireNonNull(name, "name");
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "'"
              + name
              + "' cannot name a dimension; use letters, digits, '_', '.' and '-', begin with a letter or digit, at most 128 characters");
    }
    return new NamedStage(name);
  }

  /** What is done with rows that cannot be read; a small share is skipped by default. */
  public Dimension<K, D> malformedRows(MalformedRows policy) {
    return new Dimension<>(source, keyType, keyColumns, requireNonNull(policy, "policy"), filter);
  }

  /**
   * Keeps only the rows for which a filter is true; what was said before by this method must be
   * true as well. Its columns may be such that a row does not keep. Rows that do not match are left
   * out while the index is built, and partitions in which none can match are not read.
   */
  public Dimension<K, D> where(RowFilter condition) {
    requireNonNull(condition, "condition");
    return new Dimension<>(
        source,
        keyType,
        keyColumns,
        malformedRows,
        filter == null ? condition : filter.and(condition));
  }

  /** The name. */
  public String name() {
    return source.located.name;
  }

  /** Where the rows are: of the source of truth, or of a cache tier that mirrors it. */
  public URI location() {
    return source.located.location;
  }

  /** The settings of the location's store, if any were given. */
  public Optional<StoreSettings> storeSettings() {
    return Optional.ofNullable(source.located.settings);
  }

  /** How the rows stand in the files. */
  public RowFormat format() {
    return source.format;
  }

  /**
   * The columns of a row, where the definition names them one by one.
   *
   * @return the columns in the order in which a row has them, or empty where the row's type or the
   *     files say them
   */
  public Optional<List<Column>> columns() {
    return Optional.ofNullable(source.columns);
  }

  /** The partitions of the table; empty where it has none. */
  public Optional<PartitionSource> partitions() {
    return Optional.ofNullable(source.located.partitions);
  }

  /** The file that marks the table as complete, if one does. */
  public Optional<String> marker() {
    return Optional.ofNullable(source.located.marker);
  }

  /** The type of a row. */
  public Class<D> rowType() {
    return source.rowType;
  }

  /** The type of the key. */
  public Class<K> keyType() {
    return keyType;
  }

  /** The columns of the key, in the order of the key type's components. */
  public List<String> keyColumns() {
    return keyColumns;
  }

  /** What is done with rows that cannot be read. */
  public MalformedRows malformedRows() {
    return malformedRows;
  }

  /** Which rows are kept; empty for all. */
  public Optional<RowFilter> filter() {
    return Optional.ofNullable(filter);
  }

  /**
   * Two definitions are equal if they give the same rows under the same name: the formats are
   * compared by their class and {@link RowFormat#definition()}, the store settings by their
   * properties.
   */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Dimension<?, ?> that
        && name().equals(that.name())
        && location().equals(that.location())
        && storeSettings()
            .map(StoreSettings::properties)
            .equals(that.storeSettings().map(StoreSettings::properties))
        && partitions().equals(that.partitions())
        && marker().equals(that.marker())
        && format().getClass() == that.format().getClass()
        && format().definition().equals(that.format().definition())
        && rowType() == that.rowType()
        && columns().equals(that.columns())
        && keyType == that.keyType
        && keyColumns.equals(that.keyColumns)
        && malformedRows.equals(that.malformedRows)
        && Objects.equals(filter, that.filter);
  }

  @Override
  public int hashCode() {
    return Objects.hash(name(), location(), format().definition(), rowType(), keyType, keyColumns);
  }

  /** The name, the location, the row type, the key and the filter. */
  @Override
  public String toString() {
    return "Dimension["
        + name()
        + " at "
        + location()
        + ", rows "
        + rowType().getSimpleName()
        + ", key "
        + keyColumns
        + (filter == null ? "" : ", where " + filter)
        + "]";
  }

  private record Source<D>(
      LocatedStage located, RowFormat format, Class<D> rowType, @Nullable List<Column> columns)
      implements Serializable {}

  /** A dimension that has a name; next its location. */
  public static final class NamedStage {
    /**
     * Of a cluster with several masters or, after {@code zk@}, of the ZooKeeper that elects one.
     */
    private static final Pattern SEVERAL_HOSTS =
        Pattern.compile("[^:,;+]+:\\d+([,;+][^:,;+]+:\\d+)*");

    private final String name;

    private NamedStage(String name) {
      this.name = name;
    }

    /**
     * Says where the rows are.
     *
     * @param location the URI of a directory, prefix or file, e.g. {@code s3a://bucket/customers/};
     *     must not hold credentials
     */
    public LocatedStage at(String location) {
      return new LocatedStage(name, checkedLocation(location), null, null, null);
    }

    /**
     * Says where the rows are, with settings of the store.
     *
     * @param location the URI of a directory, prefix or file, e.g. {@code s3a://bucket/customers/};
     *     must not hold credentials
     * @param settings what the store needs to know beside the credentials, e.g. an endpoint
     */
    public LocatedStage at(String location, StoreSettings settings) {
      return new LocatedStage(
          name, checkedLocation(location), requireNonNull(settings, "settings"), null, null);
    }

    private static URI checkedLocation(String location) {
      requireNonNull(location, "location");
      URI uri;
      try {
        uri = URI.create(location);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "the location is not a URI; write e.g. s3a://bucket/customers/, with special characters percent-encoded");
      }
      if (uri.getScheme() == null || uri.isOpaque()) {
        throw new IllegalArgumentException(
            "the location '"
                + location
                + "' has no scheme; write e.g. s3a://bucket/customers/ or file:///data/customers/");
      }
      String authority = uri.getRawAuthority();
      // Where it cannot be a host's, e.g. for a bucket with '_' or a secret with '/', java.net.URI
      // finds no user in it.
      String hosts = authority == null ? "" : authority.replaceFirst("^zk@", "");
      boolean credentials =
          hosts.contains("@")
              || (uri.getHost() == null
                  && hosts.contains(":")
                  && !SEVERAL_HOSTS.matcher(hosts).matches());
      if (credentials) {
        throw new IllegalArgumentException(
            "the location of scheme '"
                + uri.getScheme()
                + "' holds credentials; take them out and give them by a Hadoop credential provider, the environment or an instance role");
      }
      if (uri.getRawQuery() != null || uri.getRawFragment() != null) {
        throw new IllegalArgumentException(
            "the location of path '"
                + uri.getPath()
                + "' has a query or fragment; a location is scheme, host and path only");
      }
      return uri;
    }
  }

  /** A dimension that has a name and a location; next its rows. */
  public static final class LocatedStage implements Serializable {
    private static final long serialVersionUID = 1L;
    private final String name;
    private final URI location;
    private final @Nullable StoreSettings settings;

    private final @Nullable PartitionSource partitions;
    private final @Nullable String marker;

    private LocatedStage(
        String name,
        URI location,
        @Nullable StoreSettings settings,
        @Nullable PartitionSource partitions,
        @Nullable String marker) {
      this.name = name;
      this.location = location;
      this.settings = settings;
      this.partitions = partitions;
      this.marker = marker;
    }

    /**
     * Says that the table is partitioned. The columns of the partitions are columns of the table,
     * behind those of its files; a new, dropped or changed partition is a new version.
     *
     * @param source which partitions there are, e.g. {@link Partitions#inDirectories}
     */
    public LocatedStage partitionedBy(PartitionSource source) {
      return new LocatedStage(name, location, settings, requireNonNull(source, "source"), marker);
    }

    /**
     * Reads the table only while a file marks it as complete, as Spark and Hive write {@code
     * _SUCCESS} last. Without it a look fails ({@link ErrorCode#SOURCE_INCOMPLETE}) and the version
     * before goes on serving. For single partitions there is {@link Partitions#whenMarked}.
     *
     * @param fileName the name of the file, directly at the location
     */
    public LocatedStage whenMarked(String fileName) {
      if (requireNonNull(fileName, "fileName").isBlank() || fileName.contains("/")) {
        throw new IllegalArgumentException(
            "'" + fileName + "' is no name of a file in a directory; use e.g. _SUCCESS");
      }
      return new LocatedStage(name, location, settings, partitions, fileName);
    }

    /**
     * Says what a row becomes and how it stands in the files.
     *
     * @param rowType a record, or a class with a constructor without parameters and fields or
     *     setters. Its components meet the columns by name ({@code customer_id} and {@code
     *     customerId} are the same); columns that it lacks are not kept
     */
    public <D> RowsStage<D> rows(Class<D> rowType, RowFormat format) {
      return new RowsStage<>(
          new Source<>(
              this, requireNonNull(format, "format"), requireNonNull(rowType, "rowType"), null));
    }

    /**
     * Keeps the given columns, for programs that know them at run time only. A row has exactly
     * these columns in this order; each meets the file's column of the same name ({@code
     * customer_id} and {@code customerId} are the same) and has the type that is said here,
     * whatever type the file has for it, as far as the format can read it so.
     *
     * <p>A column that some files lack, since it was added to the table later, is NULL there; but a
     * text file whose header line lacks it is refused.
     *
     * @param columns the columns to keep, those of the key among them
     */
    public RowsStage<DimensionRow> rows(List<Column> columns, RowFormat format) {
      List<Column> kept = List.copyOf(requireNonNull(columns, "columns"));
      if (kept.isEmpty()) {
        throw new IllegalArgumentException(
            "there is no column to keep; name at least those of the key");
      }
      Set<String> names = new LinkedHashSet<>();
      for (Column column : kept) {
        if (!names.add(column.name())) {
          throw new IllegalArgumentException(
              "the column '" + column.name() + "' is named twice; name each once");
        }
      }
      return new RowsStage<>(
          new Source<>(this, requireNonNull(format, "format"), DimensionRow.class, kept));
    }

    /** Keeps all columns of the files, as rows that are read by column name. */
    public RowsStage<DimensionRow> rows(RowFormat format) {
      return rows(DimensionRow.class, format);
    }
  }

  /**
   * A dimension that has rows; last its key.
   *
   * @param <D> the type of a row
   */
  public static final class RowsStage<D> {
    private final Source<D> source;

    private RowsStage(Source<D> source) {
      this.source = source;
    }

    /**
     * Says by which key a row is found.
     *
     * @param keyType for one column a scalar type, e.g. {@code String.class}; for several a record
     *     with one component per column, in the order of {@code columns}
     * @param columns the names of the columns
     */
    public <K> Dimension<K, D> keyedBy(Class<K> keyType, String... columns) {
      requireNonNull(keyType, "keyType");
      checkKeyColumns(columns);
      boolean severalValues = keyType.isRecord() || keyType == DimensionKey.class;
      if (columns.length > 1 && !severalValues) {
        throw new IllegalArgumentException(
            "the key "
                + List.of(columns)
                + " has "
                + columns.length
                + " columns and cannot be a "
                + keyType.getSimpleName()
                + "; use a record with one component per column");
      }
      if (keyType.isRecord() && keyType.getRecordComponents().length != columns.length) {
        throw new IllegalArgumentException(
            "the key type "
                + keyType.getSimpleName()
                + " has "
                + keyType.getRecordComponents().length
                + " components for the columns "
                + List.of(columns)
                + "; they must be as many");
      }
      return new Dimension<>(
          source,
          keyType,
          List.of(columns),
          MalformedRows.skipShare(MalformedRows.DEFAULT_SHARE),
          null);
    }

    /**
     * Says by which key a row is found, for programs that know the columns at run time only.
     *
     * @param columns the names of the columns; a {@link DimensionKey} has one value for each, in
     *     this order
     */
    public Dimension<DimensionKey, D> keyedBy(String... columns) {
      return keyedBy(DimensionKey.class, columns);
    }

    private void checkKeyColumns(String... columns) {
      requireNonNull(columns, "columns");
      if (columns.length == 0) {
        throw new IllegalArgumentException(
            "the key has no column; name at least one, e.g. keyedBy(String.class, \"customer_id\")");
      }
      for (String column : columns) {
        requireNonNull(column, "column");
      }
      if (new LinkedHashSet<>(List.of(columns)).size() != columns.length) {
        throw new IllegalArgumentException(
            "the key " + List.of(columns) + " names a column twice; name each once");
      }
      List<Column> kept = source.columns;
      if (kept == null) {
        return;
      }
      List<String> names = kept.stream().map(Column::name).toList();
      for (String column : columns) {
        if (!names.contains(column)) {
          throw new IllegalArgumentException(
              "the key column '" + column + "' is not among the columns " + names + "; add it");
        }
      }
    }
  }
}
