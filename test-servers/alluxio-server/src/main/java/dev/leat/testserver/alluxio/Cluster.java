package dev.leat.testserver.alluxio;

import alluxio.AlluxioURI;
import alluxio.Process;
import alluxio.cli.Format;
import alluxio.client.file.FileInStream;
import alluxio.client.file.FileSystem;
import alluxio.client.file.FileSystemContext;
import alluxio.client.file.URIStatus;
import alluxio.conf.Configuration;
import alluxio.exception.AlluxioException;
import alluxio.grpc.CreateDirectoryPOptions;
import alluxio.grpc.FileSystemMasterCommonPOptions;
import alluxio.grpc.FreePOptions;
import alluxio.grpc.GetStatusPOptions;
import alluxio.grpc.LoadMetadataPType;
import alluxio.grpc.MountPOptions;
import alluxio.grpc.OpenFilePOptions;
import alluxio.grpc.ReadPType;
import alluxio.master.AlluxioMasterProcess;
import alluxio.worker.WorkerProcess;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One master and one worker in this JVM, each of which can be stopped and started again. */
final class Cluster implements AutoCloseable {
  private static final long CACHING_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final int PATIENCE_MILLIS = 180_000;

  private @Nullable Running master;
  private @Nullable Running worker;

  void format() throws IOException {
    Format.format(Format.Mode.MASTER, Configuration.global());
    Format.format(Format.Mode.WORKER, Configuration.global());
  }

  void startMaster() {
    master = Running.start("master", AlluxioMasterProcess.Factory.create());
  }

  void startWorker() {
    worker = Running.start("worker", WorkerProcess.Factory.create());
  }

  void stopMaster() throws Exception {
    if (master != null) {
      master.stop();
      master = null;
    }
  }

  void stopWorker() throws Exception {
    if (worker != null) {
      worker.stop();
      worker = null;
    }
  }

  /** Mounts each {@code mount.<path>=<under-store URI>}. */
  void mount(Map<String, String> arguments) throws IOException, AlluxioException {
    try (FileSystem files = client()) {
      for (Map.Entry<String, String> argument : arguments.entrySet()) {
        if (!argument.getKey().startsWith("mount.")) {
          continue;
        }
        AlluxioURI path = new AlluxioURI(argument.getKey().substring("mount.".length()));
        files.createDirectory(
            path.getParent(),
            CreateDirectoryPOptions.newBuilder().setRecursive(true).setAllowExists(true).build());
        MountPOptions.Builder options = MountPOptions.newBuilder();
        if (argument.getValue().startsWith("s3")) {
          options
              .putProperties("alluxio.underfs.s3.endpoint", arguments.get("s3.endpoint"))
              .putProperties("alluxio.underfs.s3.disable.dns.buckets", "true")
              .putProperties("alluxio.underfs.s3.inherit.acl", "false")
              .putProperties("s3a.accessKeyId", arguments.get("s3.accessKey"))
              .putProperties("s3a.secretKey", arguments.get("s3.secretKey"));
        }
        files.mount(path, new AlluxioURI(argument.getValue()), options.build());
      }
    }
  }

  /** Drops the cached blocks of a path. */
  String free(String path) throws IOException, AlluxioException {
    try (FileSystem files = client()) {
      files.free(
          new AlluxioURI(path),
          FreePOptions.newBuilder().setRecursive(true).setForced(true).build());
    }
    return "";
  }

  /** Reads a file through the worker, so that its blocks are cached; answers with its bytes. */
  String load(String path) throws IOException, AlluxioException {
    long bytes = 0;
    try (FileSystem files = client();
        FileInStream in =
            files.openFile(
                new AlluxioURI(path),
                OpenFilePOptions.newBuilder().setReadType(ReadPType.CACHE).build())) {
      byte[] buffer = new byte[1 << 20];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        bytes += read;
      }
    }
    awaitCached(path);
    return Long.toString(bytes);
  }

  /** A worker commits the last block after the reader has gone. */
  private void awaitCached(String path) throws IOException, AlluxioException {
    long deadline = System.nanoTime() + CACHING_NANOS;
    try (FileSystem files = client()) {
      while (files.getStatus(new AlluxioURI(path)).getInAlluxioPercentage() < 100) {
        if (System.nanoTime() > deadline) {
          throw new IOException(path + " is not cached as a whole");
        }
        LockSupport.parkNanos(LOOK_NANOS);
      }
    }
  }

  /** What the master knows of a file, without looking into the under store. */
  String status(String path) throws IOException, AlluxioException {
    try (FileSystem files = client()) {
      URIStatus status =
          files.getStatus(
              new AlluxioURI(path),
              GetStatusPOptions.newBuilder()
                  .setLoadMetadataType(LoadMetadataPType.NEVER)
                  .setCommonOptions(
                      FileSystemMasterCommonPOptions.newBuilder().setSyncIntervalMs(-1))
                  .build());
      return "length=%d inAlluxio=%d fingerprint=%s"
          .formatted(
              status.getLength(),
              status.getInAlluxioPercentage(),
              status.getFileInfo().getUfsFingerprint());
    }
  }

  @Override
  public void close() throws Exception {
    stopWorker();
    stopMaster();
  }

  private static FileSystem client() {
    // A context of its own: the client must not outlive a restart of the master.
    return FileSystem.Factory.create(FileSystemContext.create(Configuration.global()));
  }

  /** A process of Alluxio and the thread that runs it. */
  private record Running(String name, Process process, Thread thread) {

    static Running start(String name, Process process) {
      AtomicReference<Throwable> failure = new AtomicReference<>();
      Thread thread =
          new Thread(
              () -> {
                try {
                  process.start();
                } catch (Exception e) {
                  failure.set(e);
                }
              },
              "alluxio-" + name);
      thread.setDaemon(true);
      thread.start();
      if (!process.waitForReady(PATIENCE_MILLIS)) {
        throw new IllegalStateException("the " + name + " did not become ready", failure.get());
      }
      return new Running(name, process, thread);
    }

    void stop() throws Exception {
      process.stop();
      // A master without peers waits for an election that never comes.
      thread.interrupt();
      thread.join(PATIENCE_MILLIS);
    }
  }
}
