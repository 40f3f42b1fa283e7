package dev.leat.internal.engine.source;

import static java.util.Objects.requireNonNull;

import dev.leat.Dimension;
import dev.leat.DuplicateKeys;
import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.internal.engine.tier.StoreClient;
import dev.leat.internal.engine.tier.TierClient;
import dev.leat.internal.scan.TableScan;
import dev.leat.internal.schema.TableSchema;
import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.RowFormat.DeclaredColumn;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The source of truth of a dimension. Listings always come from it; the bytes of a file may come
 * from a tier that holds the same ones. Used by one thread, but for {@link #reading}.
 */
public final class Source implements AutoCloseable {
  /** Goes into every fingerprint; raised when the meaning of any part of it changes. */
  private static final long FINGERPRINT_VERSION = 2;

  private final Dimension<?, ?> dimension;
  private final DuplicateKeys duplicates;
  private final URI location;
  private final List<TierClient> tiers;
  private final StoreClient client;
  private final long indexFormatVersion;
  private @Nullable String schemaFiles;
  private @Nullable TableSchema schema;

  /**
   * A source over an open store.
   *
   * @param location the location of the source of truth
   * @param tiers the tiers, which may own the locations of partitions
   * @param client its store, which is closed with the source
   * @param indexFormatVersion goes into the fingerprint, so that a new format is built anew beside
   *     the old one
   */
  public Source(
      Dimension<?, ?> dimension,
      DuplicateKeys duplicates,
      URI location,
      List<TierClient> tiers,
      StoreClient client,
      long indexFormatVersion) {
    this.dimension = dimension;
    this.duplicates = duplicates;
    this.location = location;
    this.tiers = List.copyOf(tiers);
    this.client = client;
    this.indexFormatVersion = indexFormatVersion;
  }

  /**
   * The location of the source of truth for a location that a tier may own.
   *
   * @throws LeatException {@code TIER_NOT_MAPPED} if the tier does not know it, {@code
   *     TIER_UNAVAILABLE} if it cannot be asked
   */
  public static URI locate(Dimension<?, ?> dimension, List<TierClient> tiers) {
    return locate(dimension, dimension.location(), tiers);
  }

  private static URI locate(Dimension<?, ?> dimension, URI location, List<TierClient> tiers) {
    for (TierClient tier : tiers) {
      if (tier.owns(location)) {
        try {
          return tier.sourceOf(location);
        } catch (IOException e) {
          throw new LeatException(
              ErrorCode.TIER_UNAVAILABLE,
              "Dimension '"
                  + dimension.name()
                  + "': "
                  + tier.name()
                  + " cannot be asked what "
                  + location
                  + " mirrors ("
                  + e.getMessage()
                  + "); bring it back, give the mapping with mapping(…), or name the source itself as the location",
              e);
        }
      }
    }
    return location;
  }

  /** The client of its store. */
  public StoreClient client() {
    return client;
  }

  /**
   * Looks which version the source has now: one listing of each location.
   *
   * @throws LeatException {@code SOURCE_NOT_FOUND} and others as the source failed
   */
  public SourceVersion look() throws InterruptedException {
    TableListing listing;
    try {
      listing = TableListing.of(dimension, location, client.store(), this::located);
    } catch (IOException e) {
      throw SourceErrors.of(dimension.name(), location, e);
    }
    String filesHex = listing.digest();
    TableSchema resolved = schema(listing, filesHex);
    List<TableListing.Part> parts = listing.parts();
    List<Blob> files = new ArrayList<>();
    List<Integer> partOfFile = new ArrayList<>();
    for (int part = 0; part < parts.size(); part++) {
      for (Blob file : parts.get(part).files()) {
        files.add(file);
        partOfFile.add(part);
      }
    }
    TableScan scan =
        new TableScan(
            resolved.scan(),
            parts.stream().map(TableListing.Part::scanned).toList(),
            partOfFile.stream().mapToInt(Integer::intValue).toArray());
    String definitionHex = definition(resolved);
    String fingerprint = new Fingerprint().add(definitionHex).add(filesHex).hex();
    String lineage = lineage(definitionHex);
    List<String> identities = new ArrayList<>();
    for (TableListing.Part part : parts) {
      part.files().forEach(file -> identities.add(part.identity(definitionHex, file)));
    }
    return new SourceVersion(
        lineage,
        VersionName.of(lineage, fingerprint).id(),
        fingerprint,
        resolved,
        location,
        files,
        identities,
        scan);
  }

  /** The source of truth of a partition's location. */
  private URI located(URI partition) {
    URI table = dimension.location();
    String path = partition.toString();
    String base = table.toString().endsWith("/") ? table.toString() : table + "/";
    if (!table.equals(location) && path.startsWith(base)) {
      // Found out once, when the table's own location was.
      String root = location.toString();
      return URI.create((root.endsWith("/") ? root : root + "/") + path.substring(base.length()));
    }
    return locate(dimension, partition, tiers);
  }

  /**
   * What all versions of this definition have in common; empty where only a file of the source can
   * say the columns.
   */
  public Optional<String> lineage() {
    boolean onlyAFileKnows =
        dimension.format().declaredColumns().isEmpty() && dimension.columns().isEmpty();
    return onlyAFileKnows
        ? Optional.empty()
        : Optional.of(lineage(definition(TableSchema.resolve(dimension, List::of))));
  }

  private static String lineage(String definitionHex) {
    return definitionHex.substring(0, 8);
  }

  /**
   * The schema of a listing; read from a file at most once per listing, and only where the
   * definition does not say it.
   */
  private TableSchema schema(TableListing listing, String filesHex) throws InterruptedException {
    if (schema != null && filesHex.equals(schemaFiles)) {
      return schema;
    }
    Optional<TableListing.Part> part =
        listing.parts().stream().filter(each -> !each.files().isEmpty()).findFirst();
    URI first = part.map(each -> each.files().get(0).uri()).orElse(location);
    TableSchema resolved;
    try {
      resolved =
          TableSchema.resolve(
              dimension, () -> columnsOf(part.orElseThrow(() -> noFile(dimension.name()))));
    } catch (UncheckedIOException e) {
      throw SourceErrors.of(dimension.name(), first, requireNonNull(e.getCause()));
    }
    schema = resolved;
    schemaFiles = filesHex;
    return resolved;
  }

  private LeatException noFile(String name) {
    return new LeatException(
        ErrorCode.SOURCE_NOT_FOUND,
        "Dimension '"
            + name
            + "': the columns of "
            + location
            + " are to be learned from a file, and no partition that the filter keeps has one; name the columns, or widen the filter");
  }

  /** The columns of the first file of a part. */
  private List<DeclaredColumn> columnsOf(TableListing.Part part) {
    Blob file = part.files().get(0);
    try (BlobReader reader = client.store().open(file)) {
      return part.format().columnsOf(file, reader);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All that decides which index comes of given files, beside the files. */
  private String definition(TableSchema resolved) {
    Fingerprint digest = new Fingerprint().add(FINGERPRINT_VERSION).add(indexFormatVersion);
    digest
        .add(canonical(location))
        .add(dimension.format().getClass().getName())
        .add(dimension.format().definition());
    digest.add(resolved.columns().size());
    resolved.columns().forEach(column -> digest.add(column.name()).add(column.type().toString()));
    digest.add(resolved.keyColumns().toString());
    digest.add(resolved.requiredColumns().stream().sorted().toList().toString());
    digest.add(duplicates.name());
    digest
        .add(dimension.malformedRows().maxRows())
        .add(Double.toString(dimension.malformedRows().maxShare()));
    dimension.filter().ifPresent(filter -> digest.add("where").add(filter.toString()));
    dimension
        .partitions()
        .ifPresent(partitions -> digest.add("partitioned").add(partitions.definition()));
    return digest.hex();
  }

  /** One text for all ways to write a location. */
  static String canonical(URI location) {
    String scheme = location.getScheme().toLowerCase(Locale.ROOT);
    boolean s3 = scheme.equals("s3") || scheme.equals("s3n");
    String authority = location.getRawAuthority() == null ? "" : location.getRawAuthority();
    return (s3 ? "s3a" : scheme)
        + "://"
        + authority
        + location.getRawPath().replaceFirst("/+$", "");
  }

  /**
   * A way to read the files of one version, for one attempt to build its index.
   *
   * @param tiers the tiers that may hold copies, the nearest first
   */
  public SourceReading reading(List<TierClient> tiers) {
    return new SourceReading(client, tiers);
  }

  @Override
  public void close() {
    client.close();
  }
}
