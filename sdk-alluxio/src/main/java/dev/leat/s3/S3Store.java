package dev.leat.s3;

import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.BlobStore;
import dev.leat.spi.StoreContext;
import dev.leat.spi.StoreException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.EtagSource;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSDataOutputStreamBuilder;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Options.CreateFileOptionKeys;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.s3a.AWSUnsupportedFeatureException;
import org.apache.hadoop.fs.s3a.S3AFileSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One bucket. The file system is this store's own, never one of Hadoop's cache, so that it is
 * closed with it and nothing of it outlives the store.
 *
 * <p>An object is published by one PUT or one multipart upload, which S3 shows when it is complete.
 * {@link #publishIfAbsent} sends {@code If-None-Match: *}, which Amazon S3, MinIO and others decide
 * atomically; a server that does not know the header gets a look and then a write.
 */
final class S3Store implements BlobStore {

  private static final Logger LOG = LoggerFactory.getLogger(S3Store.class);
  private static final int COPY_BUFFER = 1 << 20;

  private final BucketPaths paths;
  private final FileSystem files;
  private volatile boolean closed;

  private S3Store(BucketPaths paths, FileSystem files) {
    this.paths = paths;
    this.files = files;
  }

  static S3Store open(URI location, StoreContext context) throws IOException {
    BucketPaths paths = BucketPaths.of(location);
    HadoopThreads.enter();
    boolean opened = false;
    try {
      FileSystem files = new S3AFileSystem();
      initialize(files, paths, location, context);
      opened = true;
      return new S3Store(paths, files);
    } finally {
      if (!opened) {
        HadoopThreads.leave();
      }
    }
  }

  private static void initialize(
      FileSystem files, BucketPaths paths, URI location, StoreContext context) throws IOException {
    try {
      files.initialize(paths.root(), S3Configuration.of(context.properties(), System.getenv()));
    } catch (IOException e) {
      files.close();
      throw S3Failures.of("opening", location, e);
    } catch (RuntimeException e) {
      // S3A and the SDK refuse a setting so: an endpoint that is no URI, a number that is none.
      files.close();
      throw new StoreException(
          StoreException.Kind.OTHER, "opening " + location + " failed: " + e.getMessage(), e);
    }
  }

  @Override
  public List<Blob> list(URI directory) throws IOException {
    Path path = path(directory);
    List<Blob> blobs = new ArrayList<>();
    try {
      RemoteIterator<LocatedFileStatus> statuses = files.listFiles(path, true);
      while (statuses.hasNext()) {
        blobs.add(blob(statuses.next()));
      }
    } catch (FileNotFoundException e) {
      LOG.debug("Nothing under {}", directory, e);
      return List.of();
    } catch (IOException e) {
      throw S3Failures.of("listing", directory, e);
    }
    blobs.sort(Comparator.comparing(blob -> blob.uri().toString()));
    return List.copyOf(blobs);
  }

  @Override
  public Optional<Blob> find(URI uri) throws IOException {
    Path path = path(uri);
    try {
      FileStatus status = files.getFileStatus(path);
      return status.isFile() ? Optional.of(blob(status)) : Optional.empty();
    } catch (FileNotFoundException e) {
      LOG.debug("Nothing at {}", uri, e);
      return Optional.empty();
    } catch (IOException e) {
      throw S3Failures.of("looking for", uri, e);
    }
  }

  @Override
  public BlobReader open(Blob blob) throws IOException {
    return new S3Reader(files, path(blob.uri()), blob);
  }

  @Override
  public void publish(java.nio.file.Path file, URI target) throws IOException {
    Path path = path(target);
    try (InputStream content = Files.newInputStream(file)) {
      write(content, files.createFile(path).overwrite(true).recursive(), target);
    }
  }

  @Override
  public boolean publishIfAbsent(byte[] content, URI target) throws IOException {
    Path path = path(target);
    if (find(target).isPresent()) {
      return false; // the usual loser is told by a look, which S3A does not log as a failed upload
    }
    try {
      FSDataOutputStreamBuilder<?, ?> onlyIfAbsent =
          files.createFile(path).overwrite(true).recursive();
      onlyIfAbsent.must(CreateFileOptionKeys.FS_OPTION_CREATE_CONDITIONAL_OVERWRITE, true);
      write(new java.io.ByteArrayInputStream(content), onlyIfAbsent, target);
      return true;
    } catch (StoreException e) {
      if (e.kind() == StoreException.Kind.CHANGED
          || e.kind() == StoreException.Kind.ALREADY_EXISTS) {
        return false;
      }
      if (!(e.getCause() instanceof AWSUnsupportedFeatureException)) {
        throw e;
      }
      LOG.debug("{} does not know If-None-Match", paths.root(), e);
      write(
          new java.io.ByteArrayInputStream(content),
          files.createFile(path).overwrite(true).recursive(),
          target);
      return true;
    }
  }

  private static void write(
      InputStream content, FSDataOutputStreamBuilder<?, ?> builder, URI target) throws IOException {
    FSDataOutputStream out;
    try {
      out = builder.build();
    } catch (IOException e) {
      throw S3Failures.of("writing", target, e);
    }
    boolean complete = false;
    try {
      byte[] buffer = new byte[COPY_BUFFER];
      for (int read = content.read(buffer); read >= 0; read = content.read(buffer)) {
        out.write(buffer, 0, read);
      }
      complete = true;
    } catch (IOException e) {
      throw S3Failures.of("writing", target, e);
    } finally {
      if (!complete) {
        // Closing would publish what was written so far.
        out.abort();
      }
    }
    try {
      out.close();
    } catch (IOException e) {
      throw S3Failures.of("writing", target, e);
    }
  }

  @Override
  public void delete(URI uri) throws IOException {
    Path path = path(uri);
    try {
      files.delete(path, true);
    } catch (FileNotFoundException e) {
      LOG.debug("Nothing to delete at {}", uri, e);
    } catch (IOException e) {
      throw S3Failures.of("deleting", uri, e);
    }
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
      LOG.warn("Closing the client of {} failed", paths.root(), e);
    } finally {
      HadoopThreads.leave();
    }
  }

  private Path path(URI uri) throws StoreException {
    if (closed) {
      throw new StoreException(
          StoreException.Kind.OTHER, "the store of " + paths.root() + " is closed", null);
    }
    return paths.path(uri);
  }

  private Blob blob(FileStatus status) {
    String etag = status instanceof EtagSource source ? source.getEtag() : null;
    return new Blob(
        paths.uri(status.getPath()),
        status.getLen(),
        Optional.ofNullable(etag).map(S3Store::withoutQuotes).filter(tag -> !tag.isEmpty()),
        Instant.ofEpochMilli(status.getModificationTime()));
  }

  private static String withoutQuotes(String etag) {
    return etag.replace("\"", "");
  }
}
