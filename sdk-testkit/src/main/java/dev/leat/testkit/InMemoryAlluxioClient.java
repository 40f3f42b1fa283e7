package dev.leat.testkit;

import alluxio.AlluxioURI;
import alluxio.client.file.FileInStream;
import alluxio.client.file.FileOutStream;
import alluxio.client.file.URIStatus;
import alluxio.conf.AlluxioConfiguration;
import alluxio.exception.AlluxioException;
import alluxio.exception.FileDoesNotExistException;
import alluxio.exception.status.ResourceExhaustedException;
import alluxio.exception.status.UnavailableException;
import alluxio.grpc.CreateFilePOptions;
import alluxio.grpc.DeletePOptions;
import alluxio.grpc.GetStatusPOptions;
import alluxio.grpc.ListStatusPOptions;
import alluxio.grpc.OpenFilePOptions;
import alluxio.grpc.ReadPType;
import alluxio.grpc.RenamePOptions;
import alluxio.wire.MountPointInfo;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A client of an {@link InMemoryAlluxio}. */
final class InMemoryAlluxioClient extends UnsupportedAlluxioClient {

  private static final long PATIENCE_SECONDS = 60;

  private final InMemoryAlluxio cluster;
  private final AlluxioConfiguration configuration;
  private volatile boolean closed;

  InMemoryAlluxioClient(InMemoryAlluxio cluster, AlluxioConfiguration configuration) {
    this.cluster = cluster;
    this.configuration = configuration;
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    closed = true;
  }

  @Override
  public AlluxioConfiguration getConf() {
    return configuration;
  }

  private void askMaster(String call, String path) throws IOException {
    if (closed) {
      throw new IllegalStateException("the client is closed");
    }
    cluster.operations().record(call, path);
    CountDownLatch slowness = cluster.masterSlowness();
    if (slowness != null) {
      await(slowness);
    }
    if (!cluster.isMasterUp()) {
      throw new UnavailableException("Failed to connect to master (the fake was told to stop it)");
    }
  }

  private void askWorker(String call, String path) throws IOException {
    cluster.operations().record(call, path);
    CountDownLatch slowness = cluster.slowness();
    if (slowness != null) {
      await(slowness);
    }
    if (!cluster.isWorkerUp()) {
      throw new UnavailableException(
          "No available Alluxio worker found (the fake was told to stop it)");
    }
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      if (!latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException("nobody opened the latch for " + PATIENCE_SECONDS + " s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new java.io.InterruptedIOException("interrupted while the fake was slow");
    }
  }

  @Override
  public URIStatus getStatus(AlluxioURI path, GetStatusPOptions options)
      throws IOException, AlluxioException {
    askMaster("getStatus", path.getPath());
    boolean sync =
        options.hasCommonOptions()
            && options.getCommonOptions().hasSyncIntervalMs()
            && options.getCommonOptions().getSyncIntervalMs() == 0;
    return cluster.namespace().status(path.getPath(), sync && !cluster.isSyncIgnored());
  }

  @Override
  public void iterateStatus(
      AlluxioURI path, ListStatusPOptions options, Consumer<? super URIStatus> action)
      throws IOException, AlluxioException {
    askMaster("iterateStatus", path.getPath());
    if (!options.getRecursive()) {
      throw new UnsupportedOperationException("InMemoryAlluxio lists recursively only");
    }
    cluster.namespace().list(path.getPath()).forEach(action);
  }

  @Override
  public Map<String, MountPointInfo> getMountTable(boolean checkUfs) throws IOException {
    askMaster("getMountTable", "/");
    String bucket = cluster.mountPath().substring("/s3/".length());
    return Map.of(
        "/",
        new MountPointInfo().setUfsUri("/under").setUfsType("local"),
        cluster.mountPath(),
        new MountPointInfo().setUfsUri(InMemoryS3.SCHEME + "://" + bucket + "/").setUfsType("s3"));
  }

  @Override
  public FileInStream openFile(URIStatus status, OpenFilePOptions options) {
    cluster.operations().record("openFile", status.getPath());
    In in = new In(status, options.getReadType() != ReadPType.NO_CACHE);
    return cluster.resources().opened(in, "a stream of " + status.getPath());
  }

  @Override
  public FileOutStream createFile(AlluxioURI path, CreateFilePOptions options)
      throws IOException, AlluxioException {
    askMaster("createFile", path.getPath());
    cluster.namespace().create(path.getPath());
    Out out = new Out(path.getPath());
    return cluster.resources().opened(out, "a stream to " + path.getPath());
  }

  @Override
  public void rename(AlluxioURI from, AlluxioURI to, RenamePOptions options)
      throws IOException, AlluxioException {
    askMaster("rename", from.getPath());
    cluster.namespace().rename(from.getPath(), to.getPath());
  }

  /** As the interface's default has it. */
  @Override
  public void rename(AlluxioURI from, AlluxioURI to) throws IOException, AlluxioException {
    rename(from, to, RenamePOptions.getDefaultInstance());
  }

  @Override
  public void delete(AlluxioURI path, DeletePOptions options) throws IOException, AlluxioException {
    askMaster("delete", path.getPath());
    cluster.namespace().delete(path.getPath(), options.getRecursive());
  }

  /** A file that is being read. Not thread-safe, as Alluxio's is not. */
  private final class In extends FileInStream {

    private final URIStatus status;
    private final boolean cache;
    private long position;
    private boolean streamClosed;

    In(URIStatus status, boolean cache) {
      this.status = status;
      this.cache = cache;
    }

    @Override
    public int positionedRead(long at, byte[] target, int offset, int length) throws IOException {
      return readAt("positionedRead", at, ByteBuffer.wrap(target), offset, length);
    }

    @Override
    public int read(ByteBuffer target, int offset, int length) throws IOException {
      int read = readAt("read", position, target, offset, length);
      position += Math.max(0, read);
      return read;
    }

    private int readAt(String call, long at, ByteBuffer target, int offset, int length)
        throws IOException {
      if (streamClosed) {
        throw new IOException("Cannot operate on a closed stream");
      }
      askWorker(call, status.getPath());
      byte[] content = cluster.namespace().bytes(status, cache && !cluster.isFull());
      if (content == null) {
        throw new alluxio.exception.status.NotFoundException(
            "Block of " + status.getPath() + " is neither cached nor in the under store");
      }
      long end = Math.min(Math.min(content.length, status.getLength()), cluster.blocksEndAt());
      if (at >= end) {
        return -1;
      }
      int count = (int) Math.min(length, end - at);
      if (cluster.breaks(at + count)) {
        throw new UnavailableException("Connection reset (the fake was told to break reads)");
      }
      target.position(offset);
      target.put(content, (int) at, count);
      return count;
    }

    @Override
    public long remaining() {
      return status.getLength() - position;
    }

    @Override
    public long getPos() {
      return position;
    }

    @Override
    public void seek(long to) {
      if (to < 0 || to > status.getLength()) {
        throw new IllegalArgumentException("seek to " + to + " of " + status.getLength());
      }
      position = to;
    }

    @Override
    public long skip(long bytes) {
      long skipped = Math.min(Math.max(0, bytes), remaining());
      position += skipped;
      return skipped;
    }

    @Override
    public void close() {
      streamClosed = true;
      cluster.resources().closed(this);
    }
  }

  /** A file that is being written; it is there when it is closed. */
  private final class Out extends FileOutStream {

    private final String path;
    private final ByteArrayOutputStream content = new ByteArrayOutputStream();
    private boolean done;

    Out(String path) {
      this.path = path;
    }

    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      askWorker("write", path);
      if (cluster.isFull()) {
        throw new ResourceExhaustedException(
            "No space left on the worker (the fake was told to be full)");
      }
      content.write(bytes, offset, length);
    }

    @Override
    public void cancel() throws IOException {
      if (!done) {
        finish();
        try {
          cluster.namespace().delete(path, false);
        } catch (FileDoesNotExistException e) {
          throw new IOException(e);
        }
      }
    }

    @Override
    public void close() throws IOException {
      if (done) {
        return;
      }
      finish();
      askWorker("completeFile", path);
      askMaster("completeFile", path);
      cluster.namespace().complete(path, content.toByteArray());
    }

    private void finish() {
      done = true;
      cluster.resources().closed(this);
    }
  }
}
