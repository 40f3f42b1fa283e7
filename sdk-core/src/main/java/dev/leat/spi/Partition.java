package dev.leat.spi;

import static java.util.Objects.requireNonNull;

import java.io.Serializable;
import java.net.URI;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A partition of a table: a directory whose rows have the same values in the partition's columns.
 * Immutable, with value equality.
 */
public final class Partition implements Serializable {
  private static final long serialVersionUID = 1L;

  private final @Nullable String[] values;
  private final URI location;
  private final @Nullable RowFormat format;
  private final @Nullable Instant created;

  private Partition(
      @Nullable String[] values,
      URI location,
      @Nullable RowFormat format,
      @Nullable Instant created) {
    this.values = values;
    this.location = location;
    this.format = format;
    this.created = created;
  }

  /**
   * A partition whose rows stand as those of the table do.
   *
   * @param location the directory, of the source of truth or of a cache tier that mirrors it
   * @param values one for each of {@link PartitionSource#columns()}, as text that is read as the
   *     column's type as a cell of delimited text is; null for NULL
   */
  public static Partition at(URI location, List<@Nullable String> values) {
    requireNonNull(location, "location");
    return new Partition(
        requireNonNull(values, "values").toArray(String[]::new), location, null, null);
  }

  /**
   * The same partition with a format of its own. A column that the format does not have, since the
   * column was added to the table later, is NULL.
   */
  public Partition withFormat(RowFormat ownFormat) {
    return new Partition(values, location, requireNonNull(ownFormat, "ownFormat"), created);
  }

  /** The same partition with the time at which it came into being. */
  public Partition createdAt(Instant when) {
    return new Partition(values, location, format, requireNonNull(when, "when"));
  }

  /** The values of the partition's columns; null for NULL. */
  public List<@Nullable String> values() {
    return Collections.unmodifiableList(Arrays.asList(values));
  }

  /** The directory. */
  public URI location() {
    return location;
  }

  /** The format of its files, where that is not the one of the table. */
  public Optional<RowFormat> format() {
    return Optional.ofNullable(format);
  }

  /** When it came into being, where that is known. */
  public Optional<Instant> created() {
    return Optional.ofNullable(created);
  }

  /** The formats are compared by their class and {@link RowFormat#definition()}. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Partition that
        && Arrays.equals(values, that.values)
        && location.equals(that.location)
        && Objects.equals(definition(format), definition(that.format))
        && Objects.equals(created, that.created);
  }

  private static @Nullable String definition(@Nullable RowFormat format) {
    return format == null ? null : format.getClass().getName() + " " + format.definition();
  }

  @Override
  public int hashCode() {
    return Objects.hash(location, Arrays.hashCode(values));
  }

  /** The values and the location. */
  @Override
  public String toString() {
    return "Partition" + Arrays.toString(values) + " at " + location;
  }
}
