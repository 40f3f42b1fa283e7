package dev.leat.alluxio;

import alluxio.AlluxioURI;
import alluxio.client.file.FileOutStream;
import alluxio.client.file.FileSystem;
import alluxio.client.file.URIStatus;
import alluxio.exception.AlluxioException;
import alluxio.exception.FileAlreadyExistsException;
import alluxio.exception.FileDoesNotExistException;
import alluxio.exception.InvalidPathException;
import alluxio.grpc.CreateFilePOptions;
import alluxio.grpc.DeletePOptions;
import alluxio.grpc.FileSystemMasterCommonPOptions;
import alluxio.grpc.GetStatusPOptions;
import alluxio.grpc.ListStatusPOptions;
import alluxio.grpc.WritePType;
import alluxio.underfs.Fingerprint;
import alluxio.wire.MountPointInfo;
import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.BlobStore;
import dev.leat.spi.StoreContext;
import dev.leat.spi.StoreException;
import io.grpc.Context;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of one Alluxio cluster.
 *
 * <p>A file is published by writing a temporary one beside it, through to the under store, and
 * renaming it: a rename is one change of the master's journal, and fails where the target is there.
 * To replace a file its former content is deleted first, so a reader may see nothing for a moment.
 * A writer that dies leaves at most a temporary file, which no listing shows.
 */
final class AlluxioStore implements BlobStore {

  private static final Logger LOG = LoggerFactory.getLogger(AlluxioStore.class);
  private static final String TEMPORARY_PREFIX = ".leat-publish-";
  private static final int COPY_BUFFER = 1 << 20;

  /** How Alluxio writes the tag of a file of which it knows none. */
  private static final String NO_TAG = Fingerprint.UNDERSCORE;

  private final String authority;
  private final AlluxioClients clients;
  private final FileSystem files;
  private final String writeOnceRoot;
  private volatile boolean closed;

  private AlluxioStore(
      String authority, AlluxioClients clients, FileSystem files, String writeOnceRoot) {
    this.authority = authority;
    this.clients = clients;
    this.files = files;
    this.writeOnceRoot = writeOnceRoot;
  }

  /**
   * Opens a client.
   *
   * @param writeOnceRoot the directory whose files never change once they are there, so that a
   *     reader need not look
   */
  static AlluxioStore open(
      URI cluster,
      AlluxioClients clients,
      StoreContext context,
      Map<String, String> properties,
      String writeOnceRoot)
      throws IOException {
    String authority = cluster.getRawAuthority();
    FileSystem files =
        clients.open(ClientConfiguration.of(authority, context.properties(), properties));
    return new AlluxioStore(authority, clients, files, writeOnceRoot);
  }

  @Override
  public List<Blob> list(URI directory) throws IOException {
    AlluxioURI path = path(directory);
    List<Blob> blobs = new ArrayList<>();
    AlluxioFailures.sorting(
        "listing",
        directory,
        () -> {
          try {
            files.iterateStatus(
                path,
                ListStatusPOptions.newBuilder().setRecursive(true).build(),
                status -> {
                  if (isVisible(status)) {
                    blobs.add(blob(status));
                  }
                });
          } catch (FileDoesNotExistException | InvalidPathException e) {
            LOG.debug("Nothing under {}", directory, e);
          }
          return blobs;
        });
    blobs.sort(Comparator.comparing(blob -> blob.uri().toString()));
    return List.copyOf(blobs);
  }

  @Override
  public Optional<Blob> find(URI uri) throws IOException {
    return status(path(uri), GetStatusPOptions.getDefaultInstance()).map(this::blob);
  }

  @Override
  public BlobReader open(Blob blob) throws IOException {
    AlluxioURI path = path(blob.uri());
    URIStatus status =
        status(path, GetStatusPOptions.getDefaultInstance())
            .orElseThrow(
                () ->
                    new StoreException(
                        StoreException.Kind.NOT_FOUND,
                        "opening " + blob.uri() + " failed: nothing is there",
                        null));
    Blob now = blob(status);
    boolean same =
        now.length() == blob.length()
            && (blob.contentTag().isPresent()
                ? now.contentTag().equals(blob.contentTag())
                : now.modified().equals(blob.modified()));
    if (!same) {
      throw changed(blob);
    }
    return new AlluxioReader(this, files, status, blob, isBelow(writeOnceRoot, path.getPath()));
  }

  static StoreException changed(Blob blob) {
    return new StoreException(
        StoreException.Kind.CHANGED,
        "reading " + blob.uri() + " failed: it is no longer the file that was listed",
        null);
  }

  /** Whether the file of a reader is still the same one. */
  boolean isStill(URIStatus status) throws IOException {
    return status(new AlluxioURI(status.getPath()), GetStatusPOptions.getDefaultInstance())
        .filter(
            now -> now.getFileId() == status.getFileId() && now.getLength() == status.getLength())
        .isPresent();
  }

  @Override
  public void publish(Path file, URI target) throws IOException {
    AlluxioURI path = path(target);
    AlluxioURI temporary = temporary(path);
    try (InputStream content = Files.newInputStream(file)) {
      write(content, temporary, target);
    }
    AlluxioFailures.sorting(
        "publishing",
        target,
        () ->
            leavingNothing(
                temporary,
                () -> {
                  try {
                    files.rename(temporary, path);
                  } catch (FileAlreadyExistsException e) {
                    LOG.debug("Replacing {}", target, e);
                    files.delete(path);
                    files.rename(temporary, path);
                  }
                  return path;
                }));
  }

  @Override
  public boolean publishIfAbsent(byte[] content, URI target) throws IOException {
    AlluxioURI path = path(target);
    if (status(path, GetStatusPOptions.getDefaultInstance()).isPresent()) {
      return false;
    }
    AlluxioURI temporary = temporary(path);
    write(new ByteArrayInputStream(content), temporary, target);
    return AlluxioFailures.sorting(
        "publishing",
        target,
        () -> {
          try {
            return leavingNothing(
                temporary,
                () -> {
                  files.rename(temporary, path);
                  return true;
                });
          } catch (FileAlreadyExistsException e) {
            LOG.debug("Somebody else published {}", target, e);
            return false;
          }
        });
  }

  /**
   * Writes a temporary file, and where that fails ends what the client has begun.
   *
   * <p>Where the under store refuses a file, Alluxio's worker (2.9.6) answers nothing, and its
   * client gives up without a word to the worker: the block stays open there, with room reserved
   * for the whole of it, as long as this JVM lives. A bucket without room would so fill the cache
   * as well. Cancelling the context in which the streams were begun cancels them at both ends.
   */
  private void write(InputStream content, AlluxioURI temporary, URI target) throws IOException {
    Context.CancellableContext streams = Context.current().withCancellation();
    Context outer = streams.attach();
    boolean complete = false;
    try {
      AlluxioFailures.sorting("publishing", target, () -> written(content, temporary));
      complete = true;
    } finally {
      streams.detach(outer);
      if (!complete) {
        streams.cancel(null);
      }
      // Not closed otherwise: connections that were made on the way are kept for later calls.
    }
  }

  private AlluxioURI written(InputStream content, AlluxioURI temporary)
      throws IOException, AlluxioException {
    FileOutStream out =
        files.createFile(
            temporary,
            CreateFilePOptions.newBuilder()
                .setRecursive(true)
                .setWriteType(WritePType.CACHE_THROUGH)
                .build());
    return leavingNothing(
        temporary,
        () -> {
          copy(content, out);
          return temporary;
        });
  }

  private static void copy(InputStream content, FileOutStream out) throws IOException {
    boolean complete = false;
    try {
      byte[] buffer = new byte[COPY_BUFFER];
      for (int read = content.read(buffer); read >= 0; read = content.read(buffer)) {
        out.write(buffer, 0, read);
      }
      complete = true;
    } finally {
      if (!complete) {
        out.cancel();
      }
      out.close();
    }
  }

  /** Runs a call, and where that fails leaves no temporary file behind if it can. */
  private <T> T leavingNothing(AlluxioURI temporary, AlluxioFailures.Call<T> call)
      throws IOException, AlluxioException {
    try {
      return call.run();
    } catch (IOException | AlluxioException e) {
      deleteRemains(temporary, e);
      throw e;
    }
  }

  private void deleteRemains(AlluxioURI temporary, Exception failure) {
    try {
      files.delete(temporary);
    } catch (FileDoesNotExistException e) {
      LOG.debug("{} is gone already", temporary, e);
    } catch (IOException | AlluxioException e) {
      failure.addSuppressed(e);
    }
  }

  @Override
  public void delete(URI uri) throws IOException {
    AlluxioURI path = path(uri);
    AlluxioFailures.sorting(
        "deleting",
        uri,
        () -> {
          try {
            // Unchecked: what the under store has and Alluxio has not seen goes too.
            files.delete(
                path, DeletePOptions.newBuilder().setRecursive(true).setUnchecked(true).build());
          } catch (FileDoesNotExistException | InvalidPathException e) {
            LOG.debug("Nothing to delete at {}", uri, e);
          }
          return path;
        });
  }

  /** What Alluxio knows of a file, from the under store if it knew nothing yet. */
  Optional<URIStatus> status(String path) throws IOException {
    return status(
        new AlluxioURI(path),
        GetStatusPOptions.newBuilder()
            .setCommonOptions(FileSystemMasterCommonPOptions.newBuilder().setSyncIntervalMs(-1))
            .build());
  }

  /** What Alluxio knows of a file after it has looked at it in the under store. */
  Optional<URIStatus> statusAfterSync(String path) throws IOException {
    return status(
        new AlluxioURI(path),
        GetStatusPOptions.newBuilder()
            .setCommonOptions(FileSystemMasterCommonPOptions.newBuilder().setSyncIntervalMs(0))
            .build());
  }

  private Optional<URIStatus> status(AlluxioURI path, GetStatusPOptions options)
      throws IOException {
    return AlluxioFailures.sorting(
        "looking for",
        uri(path.getPath()),
        () -> {
          try {
            return Optional.of(files.getStatus(path, options))
                .filter(status -> !status.isFolder() && status.isCompleted());
          } catch (FileDoesNotExistException | InvalidPathException e) {
            LOG.debug("Nothing at {}", path, e);
            return Optional.empty();
          }
        });
  }

  Map<String, MountPointInfo> mountTable() throws IOException {
    return AlluxioFailures.sorting(
        "asking for the mount table of", uri("/"), () -> files.getMountTable(false));
  }

  private static boolean isVisible(URIStatus status) {
    return !status.isFolder()
        && status.isCompleted()
        && !status.getName().startsWith(TEMPORARY_PREFIX);
  }

  Blob blob(URIStatus status) {
    return new Blob(
        uri(status.getPath()),
        status.getLength(),
        contentTag(status),
        Instant.ofEpochMilli(status.getLastModificationTimeMs()));
  }

  /** The ETag of the object, where the under store has such a thing and Alluxio has seen it. */
  private static Optional<String> contentTag(URIStatus status) {
    String fingerprint = status.getUfsFingerprint();
    if (fingerprint == null || fingerprint.isEmpty()) {
      return Optional.empty();
    }
    Fingerprint parsed = Fingerprint.parse(fingerprint);
    if (parsed == null || !parsed.isValid()) {
      return Optional.empty();
    }
    return Optional.ofNullable(parsed.getTag(Fingerprint.Tag.CONTENT_HASH))
        .filter(tag -> !tag.isEmpty() && !tag.equals(NO_TAG));
  }

  URI uri(String path) {
    return Blob.uriOf("alluxio", authority, path);
  }

  private AlluxioURI path(URI uri) throws StoreException {
    if (closed) {
      throw new StoreException(
          StoreException.Kind.OTHER, "the store of alluxio://" + authority + " is closed", null);
    }
    boolean ours =
        "alluxio".equalsIgnoreCase(uri.getScheme())
            && (uri.getRawAuthority() == null || uri.getRawAuthority().equals(authority));
    if (!ours || Arrays.asList(uri.getPath().split("/", -1)).contains("..")) {
      throw new StoreException(
          StoreException.Kind.ACCESS_DENIED,
          uri + " is not a path of alluxio://" + authority + ", which this store serves",
          null);
    }
    return new AlluxioURI(uri.getPath().isEmpty() ? "/" : uri.getPath());
  }

  private static AlluxioURI temporary(AlluxioURI target) throws StoreException {
    AlluxioURI parent = target.getParent();
    if (parent == null) {
      throw new StoreException(
          StoreException.Kind.OTHER,
          target + " is the root of Alluxio and cannot be written",
          null);
    }
    return parent.join(TEMPORARY_PREFIX + UUID.randomUUID());
  }

  private static boolean isBelow(String directory, String path) {
    return !directory.isEmpty() && path.startsWith(directory + "/");
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      files.close();
    } catch (IOException e) {
      LOG.warn("Closing the client of alluxio://{} failed", authority, e);
    } finally {
      clients.closed();
    }
  }
}
