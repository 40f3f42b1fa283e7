package dev.leat.alluxio;

import alluxio.client.file.FileSystem;
import alluxio.conf.InstancedConfiguration;
import java.io.IOException;
import java.io.Serializable;

/**
 * Opens Alluxio's own client. A test puts a fake in its place; the adapter over it stays the real
 * one. Serializable, since it travels with the tier.
 */
@FunctionalInterface
public interface AlluxioClients extends Serializable {

  /**
   * Opens a client that its caller closes. Must not wait for a server that is away.
   *
   * @param configuration what the client should know; a copy of its own
   */
  FileSystem open(InstancedConfiguration configuration) throws IOException;

  /** Is called when a client that was opened here has been closed. Does nothing by default. */
  default void closed() {}
}
