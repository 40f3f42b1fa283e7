package dev.leat.internal.engine.source;

import static java.util.Objects.requireNonNull;

import dev.leat.Dimension;
import dev.leat.DuplicateKeys;
import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.internal.engine.tier.StoreClient;
import dev.leat.internal.engine.tier.TierClient;
import dev.leat.internal.schema.SourceFiles;
import dev.leat.internal.schema.TableSchema;
import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.RowFormat.DeclaredColumn;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
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
  private static final long FINGERPRINT_VERSION = 1;

  private final Dimension<?, ?> dimension;
  private final DuplicateKeys duplicates;
  private final URI location;
  private final StoreClient client;
  private final long indexFormatVersion;
  private @Nullable String schemaFiles;
  private @Nullable TableSchema schema;

  /**
   * A source over an open store.
   *
   * @param location the location of the source of truth
   * @param client its store, which is closed with the source
   * @param indexFormatVersion goes into the fingerprint, so that a new format is built anew beside
   *     the old one
   */
  public Source(
      Dimension<?, ?> dimension,
      DuplicateKeys duplicates,
      URI location,
      StoreClient client,
      long indexFormatVersion) {
    this.dimension = dimension;
    this.duplicates = duplicates;
    this.location = location;
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
    for (TierClient tier : tiers) {
      if (tier.owns(dimension.location())) {
        try {
          return tier.sourceOf(dimension.location());
        } catch (IOException e) {
          throw new LeatException(
              ErrorCode.TIER_UNAVAILABLE,
              "Dimension '"
                  + dimension.name()
                  + "': "
                  + tier.name()
                  + " cannot be asked what "
                  + dimension.location()
                  + " mirrors ("
                  + e.getMessage()
                  + "); bring it back, give the mapping with mapping(…), or name the source itself as the location",
              e);
        }
      }
    }
    return dimension.location();
  }

  /** The client of its store. */
  public StoreClient client() {
    return client;
  }

  /**
   * Looks which version the source has now: one listing.
   *
   * @throws LeatException {@code SOURCE_NOT_FOUND} and others as the source failed
   */
  public SourceVersion look() throws InterruptedException {
    List<Blob> files;
    try {
      files = files();
    } catch (IOException e) {
      throw SourceErrors.of(dimension.name(), location, e);
    }
    Fingerprint filesDigest = new Fingerprint();
    for (Blob file : files) {
      filesDigest
          .add(relative(file))
          .add(file.length())
          .add(file.contentTag().orElseGet(() -> "modified " + file.modified()));
    }
    String filesHex = filesDigest.hex();
    TableSchema resolved = schema(files, filesHex);
    String definitionHex = definition(resolved);
    String fingerprint = new Fingerprint().add(definitionHex).add(filesHex).hex();
    String lineage = lineage(definitionHex);
    return new SourceVersion(
        lineage, id(lineage, fingerprint), fingerprint, resolved, location, files);
  }

  /**
   * What all versions of this definition have in common; empty where only a file of the source can
   * say the columns.
   */
  public Optional<String> lineage() {
    return dimension
        .format()
        .declaredColumns()
        .map(columns -> lineage(definition(TableSchema.resolve(dimension, () -> columns))));
  }

  /** A version that was looked at in an earlier run; its files are not known any more. */
  public SourceVersion remembered(String lineage, String fingerprint) {
    return new SourceVersion(
        lineage,
        id(lineage, fingerprint),
        fingerprint,
        TableSchema.resolve(dimension, List::of),
        location,
        List.of());
  }

  private static String lineage(String definitionHex) {
    return definitionHex.substring(0, 8);
  }

  private static String id(String lineage, String fingerprint) {
    return lineage + fingerprint.substring(0, 16);
  }

  private List<Blob> files() throws IOException {
    List<Blob> listed = new ArrayList<>(client.store().list(location));
    if (listed.isEmpty()) {
      client.store().find(location).ifPresent(listed::add);
    }
    int all = listed.size();
    listed = new ArrayList<>(SourceFiles.dataFiles(location, listed));
    listed.removeIf(file -> file.length() == 0);
    if (listed.isEmpty()) {
      throw new LeatException(
          ErrorCode.SOURCE_NOT_FOUND,
          "Dimension '"
              + dimension.name()
              + "': nothing found under "
              + location
              + " ("
              + all
              + " objects listed"
              + (all == 0 ? "" : ", all of them empty, hidden or markers")
              + "); check the prefix, and that the table was written");
    }
    listed.sort(Comparator.comparing(this::relative));
    return listed;
  }

  private String relative(Blob file) {
    String path = file.uri().getRawPath();
    String base = location.getRawPath();
    return path.startsWith(base) && path.length() > base.length()
        ? path.substring(base.length()).replaceFirst("^/+", "")
        : path.substring(path.lastIndexOf('/') + 1);
  }

  /**
   * The schema of a listing; read from a file at most once per listing, and only where the
   * definition does not say it.
   */
  private TableSchema schema(List<Blob> files, String filesHex) throws InterruptedException {
    if (schema != null && filesHex.equals(schemaFiles)) {
      return schema;
    }
    Blob first = files.get(0);
    TableSchema resolved;
    try {
      resolved = TableSchema.resolve(dimension, () -> columnsOf(first));
    } catch (UncheckedIOException e) {
      throw SourceErrors.of(dimension.name(), first.uri(), requireNonNull(e.getCause()));
    }
    schema = resolved;
    schemaFiles = filesHex;
    return resolved;
  }

  private List<DeclaredColumn> columnsOf(Blob file) {
    try (BlobReader reader = client.store().open(file)) {
      return dimension.format().columnsOf(file, reader);
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
    return digest.hex();
  }

  /** One text for all ways to write a location. */
  private static String canonical(URI location) {
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
