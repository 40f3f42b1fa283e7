package dev.leat.internal.engine.repository;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.VersionRetention;
import dev.leat.internal.engine.source.VersionName;
import dev.leat.internal.engine.tier.TierClient;
import dev.leat.internal.index.IndexManifest;
import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.BlobStore;
import dev.leat.spi.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The published indexes of one dimension in a remote tier: {@code
 * <indexRoot>/<dimension>/<version>/} with the shards and, written last, the manifest; and {@code
 * <version>.lease} while a host builds the version. All hosts write the same bytes for a version,
 * so that several publishers at a time do no harm. Thread-safe.
 */
public final class RemoteRepository {
  private static final Logger LOG = LoggerFactory.getLogger(RemoteRepository.class);
  private static final int MANIFEST_LIMIT = 64 << 20;
  private static final int COPY_BYTES = 1 << 18;

  private static final String LEASE_SUFFIX = ".lease";
  private static final String ACCEPTED_SUFFIX = ".accepted";

  /** A host that builds renews its lease every few seconds. */
  private static final Duration LEASE_ABANDONED = Duration.ofMinutes(10);

  private final TierClient tier;
  private final String dimension;

  /** The repository of a dimension in a tier. */
  public RemoteRepository(TierClient tier, String dimension) {
    this.tier = tier;
    this.dimension = dimension;
  }

  /** The tier that holds it. */
  public TierClient tier() {
    return tier;
  }

  /** A published index. */
  public record Published(String versionId, IndexManifest manifest, byte[] manifestBytes) {}

  /**
   * The index of a version, if it is published.
   *
   * @throws LeatException {@code INDEX_DAMAGED} if its manifest cannot be read or is of another
   *     source; {@code INDEX_FORMAT_UNSUPPORTED}
   */
  public Optional<Published> find(String versionId, String fingerprint) throws IOException {
    Optional<Published> published = find(versionId);
    if (published.isPresent()
        && !published.get().manifest().sourceFingerprint().equals(fingerprint)) {
      throw damaged(
          versionId,
          "it was built from the fingerprint "
              + published.get().manifest().sourceFingerprint()
              + ", not from "
              + fingerprint);
    }
    return published;
  }

  private Optional<Published> find(String versionId) throws IOException {
    Optional<Blob> blob = store().find(manifest(versionId));
    return blob.isEmpty() ? Optional.empty() : read(versionId, blob.get());
  }

  private Optional<Published> read(String versionId, Blob blob) throws IOException {
    if (blob.length() > MANIFEST_LIMIT) {
      throw damaged(versionId, "its manifest has " + blob.length() + " bytes");
    }
    byte[] bytes = new byte[(int) blob.length()];
    try (BlobReader reader = store().open(blob)) {
      reader.readFully(0, bytes, 0, bytes.length);
    } catch (StoreException e) {
      if (e.kind() == StoreException.Kind.NOT_FOUND || e.kind() == StoreException.Kind.CHANGED) {
        // Withdrawn or published anew between the two calls.
        return Optional.empty();
      }
      throw e;
    }
    return Optional.of(new Published(versionId, IndexManifest.parse(bytes), bytes));
  }

  /** The published indexes of a lineage. */
  public List<KeptVersion> kept(String lineage) throws IOException {
    List<KeptVersion> kept = new ArrayList<>();
    for (Blob blob : store().list(tier.indexRoot().resolve(dimension + "/"))) {
      if (blob.uri().getPath().endsWith("/" + IndexManifest.FILE_NAME)
          && versionOf(blob).startsWith(lineage)) {
        try {
          find(versionOf(blob))
              .ifPresent(
                  published ->
                      kept.add(
                          new KeptVersion(
                              new VersionName(
                                  published.versionId(), published.manifest().sourceFingerprint()),
                              blob.modified())));
        } catch (LeatException e) {
          LOG.info(
              "Dimension '{}': the published version {} cannot be read",
              dimension,
              versionOf(blob),
              e);
        }
      }
    }
    return kept;
  }

  /**
   * Fetches a published index into a directory, the manifest last, and checks each shard's length
   * and CRC on the way.
   *
   * @throws LeatException {@code INDEX_DAMAGED}
   */
  public void fetch(Published published, Path directory) throws IOException {
    for (IndexManifest.Shard shard : published.manifest().shards()) {
      URI uri = file(published.versionId(), shard.name());
      Blob blob =
          store()
              .find(uri)
              .orElseThrow(
                  () ->
                      damaged(
                          published.versionId(), "its shard " + shard.name() + " is not there"));
      if (blob.length() != shard.bytes()) {
        throw damaged(
            published.versionId(),
            "its shard "
                + shard.name()
                + " has "
                + blob.length()
                + " bytes instead of "
                + shard.bytes());
      }
      fetchShard(published.versionId(), shard, blob, directory.resolve(shard.name()));
    }
    try (LocalOutput out = new LocalOutput(dimension, directory.resolve(IndexManifest.FILE_NAME))) {
      out.write(published.manifestBytes(), published.manifestBytes().length);
      out.force();
    }
  }

  private void fetchShard(String versionId, IndexManifest.Shard shard, Blob blob, Path target)
      throws IOException {
    CRC32C crc = new CRC32C();
    byte[] buffer = new byte[COPY_BYTES];
    long copied = 0;
    try (BlobReader reader = store().open(blob);
        InputStream in = reader.stream(0);
        LocalOutput out = new LocalOutput(dimension, target)) {
      for (int n = in.read(buffer); n >= 0 && copied <= shard.bytes(); n = in.read(buffer)) {
        crc.update(buffer, 0, n);
        copied += n;
        out.write(buffer, n);
      }
      out.force();
    }
    if (copied != shard.bytes() || (int) crc.getValue() != shard.crc32c()) {
      throw damaged(
          versionId,
          "its shard " + shard.name() + " does not have the content that the manifest says");
    }
  }

  /**
   * Publishes the index in a directory: the shards first, the manifest last. What another host has
   * published meanwhile is replaced by the same bytes.
   */
  public void publish(String versionId, Path directory) throws IOException {
    IndexManifest manifest = IndexManifest.read(directory);
    for (IndexManifest.Shard shard : manifest.shards()) {
      store().publish(directory.resolve(shard.name()), file(versionId, shard.name()));
    }
    store().publish(directory.resolve(IndexManifest.FILE_NAME), manifest(versionId));
  }

  /** Withdraws a published index, its manifest first. */
  public void withdraw(String versionId) throws IOException {
    store().delete(manifest(versionId));
    store().delete(version(versionId));
  }

  /** A published index, and when it was published by the clock of the store. */
  public record Latest(Published published, Instant when) {}

  /** The version of a lineage that was published last. */
  public Optional<Latest> latest(String lineage) throws IOException {
    Optional<Blob> newest =
        store().list(tier.indexRoot().resolve(dimension + "/")).stream()
            .filter(blob -> blob.uri().getPath().endsWith("/" + IndexManifest.FILE_NAME))
            .filter(blob -> versionOf(blob).startsWith(lineage))
            .max(Comparator.comparing(Blob::modified));
    if (newest.isEmpty()) {
      return Optional.empty();
    }
    Blob manifest = newest.get();
    return read(versionOf(manifest), manifest)
        .map(published -> new Latest(published, manifest.modified()));
  }

  /** Whether somebody has said by hand that a version is to be served. */
  public boolean accepted(String versionId) throws IOException {
    return store().find(acceptance(versionId)).isPresent();
  }

  /**
   * Withdraws the versions of a lineage that need not be kept, and the leases of hosts that died
   * while they were building a version that nobody wants any more. A host that is fetching one of
   * them meanwhile finds it gone and builds it.
   *
   * <p>A version was replaced when the next one was published, and now is when the newest object
   * was: both by the clock of the store, since no other is the same for all hosts.
   *
   * @param kept versions that are kept in any case: what is served, and what this host has seen to
   *     be current lately
   */
  public void withdrawOldVersions(String lineage, Set<String> kept, VersionRetention retention)
      throws IOException {
    List<Blob> manifests = new ArrayList<>();
    List<Blob> all = store().list(tier.indexRoot().resolve(dimension + "/"));
    sweepLeases(lineage, all);
    for (Blob blob : all) {
      if (blob.uri().getPath().endsWith("/" + IndexManifest.FILE_NAME)
          && versionOf(blob).startsWith(lineage)) {
        manifests.add(blob);
      }
    }
    manifests.sort(Comparator.comparing(Blob::modified).reversed());
    Instant now = newest(all);
    Instant replaced = Instant.MAX;
    int newer = 0;
    for (Blob manifest : manifests) {
      String id = versionOf(manifest);
      boolean young =
          replaced.equals(Instant.MAX)
              || Duration.between(replaced, now).compareTo(retention.time()) < 0;
      if (!kept.contains(id) && newer >= retention.versions() && !young) {
        LOG.info(
            "Dimension '{}': withdrawing the old version {} from {}", dimension, id, tier.name());
        withdraw(id);
        store().delete(acceptance(id));
      }
      newer++;
      replaced = manifest.modified();
    }
  }

  private static Instant newest(List<Blob> all) {
    return all.stream().map(Blob::modified).max(Comparator.naturalOrder()).orElse(Instant.MIN);
  }

  /**
   * Deletes leases that were not renewed for long. The time is the store's own: that of the newest
   * object, which was published just now.
   */
  private void sweepLeases(String lineage, List<Blob> all) throws IOException {
    Instant now = newest(all);
    for (Blob blob : all) {
      String path = blob.uri().getPath();
      String name = path.substring(path.lastIndexOf('/') + 1);
      if (name.endsWith(LEASE_SUFFIX)
          && name.startsWith(lineage)
          && Duration.between(blob.modified(), now).compareTo(LEASE_ABANDONED) > 0) {
        store().delete(blob.uri());
      }
    }
  }

  private static String versionOf(Blob manifest) {
    String path = manifest.uri().getPath();
    String parent = path.substring(0, path.length() - IndexManifest.FILE_NAME.length() - 1);
    return parent.substring(parent.lastIndexOf('/') + 1);
  }

  /** The lease under which a host builds a version. */
  public BuildLease lease(String versionId) {
    return new BuildLease(
        store(), tier.indexRoot().resolve(dimension + "/" + versionId + LEASE_SUFFIX));
  }

  private URI acceptance(String versionId) {
    return tier.indexRoot().resolve(dimension + "/" + versionId + ACCEPTED_SUFFIX);
  }

  private LeatException damaged(String versionId, String reason) {
    return new LeatException(
        ErrorCode.INDEX_DAMAGED,
        "Dimension '"
            + dimension
            + "': the index "
            + version(versionId)
            + " in "
            + tier.name()
            + " is damaged: "
            + reason
            + "; it is withdrawn and built again, nothing needs to be done");
  }

  private BlobStore store() {
    return tier.store();
  }

  /** Where a file of the dimension as a whole stands. */
  URI file(String name) {
    return tier.indexRoot().resolve(dimension + "/" + name);
  }

  private URI version(String versionId) {
    return tier.indexRoot().resolve(dimension + "/" + versionId + "/");
  }

  private URI manifest(String versionId) {
    return file(versionId, IndexManifest.FILE_NAME);
  }

  private URI file(String versionId, String name) {
    return version(versionId).resolve(name);
  }
}
