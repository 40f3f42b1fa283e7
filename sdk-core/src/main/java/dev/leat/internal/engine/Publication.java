package dev.leat.internal.engine;

import org.jspecify.annotations.Nullable;

/**
 * Publishes the version that was loaded last to the remote tiers that lack it; what fails is tried
 * again when it is asked to proceed. A tier that failed is asked for what it should have, so that
 * it is seen when it works again. Belongs to the service's thread.
 */
final class Publication {
  private final ServiceClients clients;

  /** What this process has loaded last. */
  private @Nullable ServedVersion latest;

  /** The version that not all tiers have, as far as is known. */
  private @Nullable String pending;

  private boolean failed;

  Publication(ServiceClients clients) {
    this.clients = clients;
  }

  /** If a version is new in this process, it has to be published from here on. */
  void begin(ServedVersion version) {
    if (latest != version) {
      latest = version;
      pending = version.id();
      failed = false;
    }
  }

  /** Publishes a version, if it has to be or if a tier was not well. */
  void proceed(ServedVersion version) throws InterruptedException {
    boolean due = version.id().equals(pending);
    boolean probe = clients.tiers().stream().anyMatch(tier -> tier.client().degraded());
    if (due || probe) {
      boolean quiet = failed || !due;
      boolean everywhere = clients.loader().publish(version.name(), version.local(), quiet);
      pending = everywhere ? null : version.id();
      failed = !everywhere;
    }
  }
}
