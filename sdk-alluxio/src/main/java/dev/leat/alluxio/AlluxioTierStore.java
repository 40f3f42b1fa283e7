package dev.leat.alluxio;

import alluxio.client.file.URIStatus;
import dev.leat.spi.Blob;
import dev.leat.spi.BlobStore;
import dev.leat.spi.RemoteTierStore;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;

/**
 * Alluxio at work as a tier.
 *
 * <p>Freshness: Alluxio keeps with each file of an under store a fingerprint that has the ETag of
 * the object at the time when its metadata was loaded. It is compared with the ETag that the source
 * lists now. Where they differ, Alluxio is asked once to look at that one file in the under store,
 * which also makes it drop the blocks of the former content; where they still differ, or nothing
 * can be compared, the copy is not used.
 */
final class AlluxioTierStore implements RemoteTierStore {

  private final AlluxioStore store;
  private final Mounts mounts;
  private final URI indexRoot;

  AlluxioTierStore(AlluxioStore store, Mounts mounts, URI indexRoot) {
    this.store = store;
    this.mounts = mounts;
    this.indexRoot = indexRoot;
  }

  @Override
  public BlobStore blobs() {
    return store;
  }

  @Override
  public URI indexRoot() {
    return indexRoot;
  }

  @Override
  public Optional<Blob> freshCopy(Blob source) throws IOException {
    Optional<String> path = mounts.pathOf(source.uri());
    if (path.isEmpty()) {
      return Optional.empty();
    }
    Optional<Blob> copy = proven(store.status(path.get()), source);
    return copy.isPresent() ? copy : proven(store.statusAfterSync(path.get()), source);
  }

  private Optional<Blob> proven(Optional<URIStatus> status, Blob source) {
    return status.map(store::blob).filter(copy -> isCopy(copy, source));
  }

  private static boolean isCopy(Blob copy, Blob source) {
    if (copy.length() != source.length()) {
      return false;
    }
    if (copy.contentTag().isPresent() && source.contentTag().isPresent()) {
      return copy.contentTag().equals(source.contentTag());
    }
    return copy.modified().toEpochMilli() == source.modified().toEpochMilli();
  }

  @Override
  public URI sourceOf(URI location) throws IOException {
    return mounts.sourceOf(location.getPath());
  }

  @Override
  public void close() {
    store.close();
  }
}
