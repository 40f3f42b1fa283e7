package dev.leat.testserver;

import java.util.LinkedHashMap;
import java.util.Map;

/** A real Alluxio master and worker, with buckets of a {@link RealS3} mounted. */
public final class RealAlluxio implements AutoCloseable {

  private final TestServer server;

  private RealAlluxio(TestServer server) {
    this.server = server;
  }

  /**
   * Prepares a master and a worker.
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Starts a master and a worker with each bucket mounted at {@code /s3/<bucket>}.
   *
   * @param s3 the server of the buckets
   * @param buckets their names
   * @return the running cluster
   */
  public static RealAlluxio start(RealS3 s3, String... buckets) {
    Builder builder = builder();
    for (String bucket : buckets) {
      builder.mount(s3, bucket, "/s3/" + bucket);
    }
    return builder.start();
  }

  /**
   * The URI of the master.
   *
   * @return for example {@code alluxio://localhost:12345}
   */
  public String uri() {
    return "alluxio://localhost:" + masterPort();
  }

  /**
   * The master's RPC port.
   *
   * @return the port
   */
  public int masterPort() {
    return Integer.parseInt(server.property("masterPort"));
  }

  /** Stops the worker: its clients find nobody at its port. */
  public void stopWorker() {
    server.run("stop worker");
  }

  /** Starts the worker again, on its port and with what it had cached. */
  public void startWorker() {
    server.run("start worker");
  }

  /** Stops the master: its clients find nobody at its port. */
  public void stopMaster() {
    server.run("stop master");
  }

  /** Starts the master again, on its port and with its journal. */
  public void startMaster() {
    server.run("start master");
  }

  /**
   * Reads a file through the worker, so that its blocks are cached.
   *
   * @param path the path in Alluxio
   * @return the number of bytes
   */
  public long load(String path) {
    return Long.parseLong(server.run("load " + path));
  }

  /**
   * Drops the cached blocks of a file or directory.
   *
   * @param path the path in Alluxio
   */
  public void free(String path) {
    server.run("free " + path);
  }

  /**
   * What the master knows of a file, without looking into the under store.
   *
   * @param path the path in Alluxio
   * @return length, share of cached bytes, fingerprint
   */
  public String status(String path) {
    return server.run("status " + path);
  }

  @Override
  public void close() {
    server.close();
  }

  /** How an Alluxio cluster is to be started. */
  public static final class Builder {

    private final Map<String, String> arguments = new LinkedHashMap<>();

    private Builder() {}

    /**
     * Mounts a bucket.
     *
     * @param s3 the server of the bucket; the same for all mounts
     * @param bucket its name, or a name and a prefix
     * @param path where it appears in Alluxio
     * @return this builder
     */
    public Builder mount(RealS3 s3, String bucket, String path) {
      arguments.put("mount." + path, "s3://" + bucket + "/");
      arguments.put("s3.endpoint", s3.endpoint());
      arguments.put("s3.accessKey", s3.accessKey());
      arguments.put("s3.secretKey", s3.secretKey());
      return this;
    }

    /**
     * Sets how much the worker can cache; 512 MB if not called.
     *
     * @param size for example {@code 16MB}
     * @return this builder
     */
    public Builder workerStorage(String size) {
      arguments.put("workerBytes", size);
      return this;
    }

    /**
     * Sets a property of the servers.
     *
     * @param key an {@code alluxio.*} key
     * @param value its value
     * @return this builder
     */
    public Builder property(String key, String value) {
      arguments.put(key, value);
      return this;
    }

    /**
     * Starts the cluster and returns when the worker has registered and the buckets are mounted.
     *
     * @return the running cluster
     */
    public RealAlluxio start() {
      TestServer.Builder server = TestServer.of(ServerKind.ALLUXIO);
      arguments.forEach(server::with);
      return new RealAlluxio(server.start());
    }
  }
}
