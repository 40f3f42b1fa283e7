package dev.leat.spi;

import java.io.IOException;
import java.net.URI;
import java.util.Set;

/**
 * Opens stores for URI schemes. Found by {@link java.util.ServiceLoader}; needs a public
 * constructor without parameters.
 */
public interface BlobStoreProvider {

  /** The schemes that it serves, in lower case, e.g. {@code s3a}. */
  Set<String> schemes();

  /**
   * Opens a client.
   *
   * @param location a URI of one of the {@link #schemes()}; its authority says which server or
   *     bucket
   */
  BlobStore open(URI location, StoreContext context) throws IOException;
}
