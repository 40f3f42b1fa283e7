package dev.leat.spi;

import java.io.IOException;
import java.net.URI;

/** A cache tier that other hosts share, such as Alluxio. */
public interface RemoteTier extends CacheTier {

  /**
   * Opens the tier on a task. Must not block on a server that is away: that shows at the first use.
   */
  RemoteTierStore open(StoreContext context) throws IOException;

  /**
   * Whether {@code location} is one of this tier's own, such as {@code alluxio://…}, so that its
   * source of truth must be resolved.
   */
  boolean owns(URI location);
}
