package dev.leat.internal.engine.source;

import dev.leat.Dimension;
import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.internal.filter.BufferedRow;
import dev.leat.internal.partition.PartitionOrder;
import dev.leat.internal.partition.PartitionPruning;
import dev.leat.internal.partition.PartitionValues;
import dev.leat.internal.scan.TableScan;
import dev.leat.internal.schema.SourceFiles;
import dev.leat.spi.Blob;
import dev.leat.spi.BlobStore;
import dev.leat.spi.Partition;
import dev.leat.spi.PartitionSource;
import dev.leat.spi.RowFormat;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What one look at a source has shown: the parts of the table and their files, in the order that
 * decides which of several rows of a key comes first.
 *
 * @param parts the whole table as one part, or the partitions in which rows can match, in the order
 *     of their values
 */
record TableListing(List<Part> parts) {

  /**
   * A part of a table: all of it, or a partition.
   *
   * @param partition the partition, or null for the whole table
   * @param location where it is, in the source of truth
   * @param format how its rows stand
   * @param values the values of the partition's columns, or null for the whole table
   * @param files its files, in the order of their paths
   */
  record Part(
      @Nullable Partition partition,
      URI location,
      RowFormat format,
      @Nullable BufferedRow values,
      List<Blob> files) {

    TableScan.Part scanned() {
      return new TableScan.Part(format, values);
    }

    private void addTo(Fingerprint digest) {
      addPartition(digest);
      files.forEach(file -> addFile(digest, file));
    }

    /**
     * Stands for a file: its content, its place, and how it is read as far as the definition does
     * not say it.
     */
    String identity(String definition, Blob file) {
      Fingerprint digest = new Fingerprint().add(definition);
      addPartition(digest);
      addFile(digest, file);
      return digest.hex();
    }

    private void addPartition(Fingerprint digest) {
      if (partition != null) {
        digest.add("partition").add(Source.canonical(location));
        for (String value : partition.values()) {
          digest.add(value == null ? 0 : 1).add(value == null ? "" : value);
        }
        partition
            .format()
            .ifPresent(own -> digest.add(own.getClass().getName()).add(own.definition()));
      }
    }

    private void addFile(Fingerprint digest, Blob file) {
      digest
          .add(relative(location, file))
          .add(file.length())
          .add(file.contentTag().orElseGet(() -> "modified " + file.modified()));
    }
  }

  /**
   * Looks.
   *
   * @param location the table's location in the source of truth
   * @param located gives the source of truth of a partition's location
   * @throws LeatException {@code SOURCE_NOT_FOUND} where there is no data
   */
  static TableListing of(
      Dimension<?, ?> dimension, URI location, BlobStore store, UnaryOperator<URI> located)
      throws IOException {
    if (dimension.marker().isPresent() && dimension.partitions().isPresent()) {
      URI marker = marker(location, dimension.marker().get());
      if (store.find(marker).isEmpty()) {
        throw incomplete(dimension, marker);
      }
    }
    return dimension.partitions().isEmpty()
        ? whole(dimension, location, store)
        : partitioned(
            dimension,
            dimension.partitions().get(),
            new PartitionedTable(location, store, located));
  }

  private static TableListing whole(Dimension<?, ?> dimension, URI location, BlobStore store)
      throws IOException {
    List<Blob> listed = new ArrayList<>(store.list(location));
    if (listed.isEmpty()) {
      store.find(location).ifPresent(listed::add);
    }
    if (dimension.marker().isPresent()) {
      URI marker = marker(location, dimension.marker().get());
      if (listed.stream().noneMatch(blob -> blob.uri().getPath().equals(marker.getPath()))) {
        throw incomplete(dimension, marker);
      }
    }
    List<Blob> files = dataFiles(location, listed);
    if (files.isEmpty()) {
      int all = listed.size();
      throw nothing(
          dimension,
          location,
          all + " objects listed" + (all == 0 ? "" : ", all of them empty, hidden or markers"));
    }
    return new TableListing(List.of(new Part(null, location, dimension.format(), null, files)));
  }

  private static TableListing partitioned(
      Dimension<?, ?> dimension, PartitionSource source, PartitionedTable table)
      throws IOException {
    List<Partition> partitions = source.partitions(table);
    PartitionPruning pruning = PartitionPruning.of(dimension.filter(), source.columns());
    List<Part> parts = new ArrayList<>();
    Set<String> locations = new HashSet<>();
    long files = 0;
    for (Partition partition : partitions) {
      BufferedRow values = PartitionValues.of(source.columns(), partition);
      URI location = table.locate(partition.location());
      if (!locations.add(Source.canonical(location))) {
        throw new LeatException(
            ErrorCode.INVALID_DEFINITION,
            "Dimension '"
                + dimension.name()
                + "': two partitions have the location "
                + location
                + ", so that its rows would be there twice; drop one of them");
      }
      if (pruning.mayMatch(values)) {
        List<Blob> own = dataFiles(location, table.list(partition.location()));
        files += own.size();
        parts.add(
            new Part(
                partition, location, partition.format().orElse(dimension.format()), values, own));
      }
    }
    if (files == 0 && (parts.size() == partitions.size() || !parts.isEmpty())) {
      throw nothing(
          dimension,
          table.location(),
          table.listed()
              + " objects listed, "
              + partitions.size()
              + " partitions of "
              + source.definition()
              + ", none of them with data");
    }
    Comparator<Partition> byValues = PartitionOrder.of(source.columns());
    parts.sort(
        (a, b) -> {
          int order =
              a.partition() == null || b.partition() == null
                  ? 0
                  : byValues.compare(a.partition(), b.partition());
          return order != 0 ? order : a.location().compareTo(b.location());
        });
    return new TableListing(List.copyOf(parts));
  }

  private static List<Blob> dataFiles(URI location, List<Blob> listed) {
    for (Blob file : listed) {
      if (!isAtOrBelow(location, file.uri())) {
        throw new LeatException(
            ErrorCode.SOURCE_UNREADABLE,
            "the listing of "
                + location
                + " names "
                + file.uri()
                + ", which is not below it; no such file is read, ask who runs the store");
      }
    }
    List<Blob> files = new ArrayList<>(SourceFiles.dataFiles(location, listed));
    files.removeIf(file -> file.length() == 0);
    files.sort(Comparator.comparing(file -> relative(location, file)));
    return List.copyOf(files);
  }

  private static URI marker(URI location, String fileName) {
    String directory = location.getPath();
    return Blob.uriOf(
        location.getScheme(),
        location.getAuthority(),
        (directory.endsWith("/") ? directory : directory + "/") + fileName);
  }

  private static LeatException incomplete(Dimension<?, ?> dimension, URI marker) {
    return new LeatException(
        ErrorCode.SOURCE_INCOMPLETE,
        "Dimension '"
            + dimension.name()
            + "': there is no "
            + marker
            + ", which marks the table as complete; wait until it is written, or leave whenMarked(…)"
            + " out");
  }

  /** A store that answers otherwise would have others' files read as rows of the table. */
  private static boolean isAtOrBelow(URI location, URI file) {
    // A store may have brought a location with two slashes or dots in it to its plain form.
    return isAtOrBelow(location.getPath(), file.getPath())
        || isAtOrBelow(location.normalize().getPath(), file.getPath());
  }

  private static boolean isAtOrBelow(String directory, String path) {
    String base = directory.replaceFirst("/+$", "");
    return path.equals(base) || path.startsWith(base + "/");
  }

  private static LeatException nothing(Dimension<?, ?> dimension, URI location, String what) {
    return new LeatException(
        ErrorCode.SOURCE_NOT_FOUND,
        "Dimension '"
            + dimension.name()
            + "': nothing found under "
            + location
            + " ("
            + what
            + "); check the prefix, and that the table was written");
  }

  private static String relative(URI location, Blob file) {
    String path = file.uri().getRawPath();
    String base = location.getRawPath();
    return path.startsWith(base) && path.length() > base.length()
        ? path.substring(base.length()).replaceFirst("^/+", "")
        : path.substring(path.lastIndexOf('/') + 1);
  }

  /** Stands for the files and partitions: the same as long as they are the same. */
  String digest() {
    Fingerprint digest = new Fingerprint();
    parts.forEach(part -> part.addTo(digest));
    return digest.hex();
  }
}
