package dev.leat.alluxio;

import alluxio.client.file.FileSystem;
import alluxio.client.file.FileSystemContext;
import alluxio.conf.Configuration;
import alluxio.conf.InstancedConfiguration;
import alluxio.conf.PropertyKey;
import alluxio.conf.Source;
import java.io.IOException;
import java.util.List;

/**
 * Clients of a real cluster, each with a context of its own, which closing the client closes.
 *
 * <p>Alluxio 2.9 takes the time for which it retries a master from its static configuration only,
 * whatever the client was created with (two minutes by default). So these three keys are put there
 * as well: they hold for all clients of the same Alluxio classes.
 */
record LiveClients() implements AlluxioClients {

  private static final List<PropertyKey> READ_STATICALLY =
      List.of(
          PropertyKey.USER_RPC_RETRY_MAX_DURATION,
          PropertyKey.USER_RPC_RETRY_BASE_SLEEP_MS,
          PropertyKey.USER_RPC_RETRY_MAX_SLEEP_MS);

  @Override
  public FileSystem open(InstancedConfiguration configuration) throws IOException {
    IdleThreads.letThemEnd();
    for (PropertyKey key : READ_STATICALLY) {
      Configuration.set(key, configuration.get(key), Source.RUNTIME);
    }
    return FileSystem.Factory.create(FileSystemContext.create(configuration));
  }

  @Override
  public void closed() {
    IdleThreads.afterClose();
  }
}
