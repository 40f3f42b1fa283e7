package dev.leat.internal.store;

import static java.util.Objects.requireNonNull;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.spi.BlobStore;
import dev.leat.spi.BlobStoreProvider;
import dev.leat.spi.StoreContext;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Opens the store of a location by its scheme, with the {@link BlobStoreProvider}s of the class
 * path.
 */
public final class Stores {

  private Stores() {}

  /**
   * Opens the store of a location. Providers are looked for with the thread's context class loader
   * first, which in Flink is the one of the user's job, then with the loader of Leat itself.
   *
   * @param location a URI with a scheme
   * @throws LeatException {@code NO_STORE_FOR_SCHEME} if no provider serves the scheme
   * @throws IOException as the provider failed
   */
  public static BlobStore open(URI location, StoreContext context) throws IOException {
    requireNonNull(location, "location");
    requireNonNull(context, "context");
    String scheme = location.getScheme();
    if (scheme == null) {
      throw new LeatException(
          ErrorCode.NO_STORE_FOR_SCHEME,
          "the location '"
              + location
              + "' has no scheme; write it in full, e.g. s3a://bucket/customers/ or file:///data/customers/");
    }
    String wanted = scheme.toLowerCase(Locale.ROOT);
    Set<String> served = new TreeSet<>();
    List<ServiceConfigurationError> broken = new ArrayList<>();
    for (ClassLoader loader : loaders()) {
      Iterator<BlobStoreProvider> providers =
          ServiceLoader.load(BlobStoreProvider.class, loader).iterator();
      for (BlobStoreProvider provider = next(providers, broken);
          provider != null;
          provider = next(providers, broken)) {
        if (provider.schemes().contains(wanted)) {
          return provider.open(location, context);
        }
        served.addAll(provider.schemes());
      }
    }
    LeatException none =
        new LeatException(
            ErrorCode.NO_STORE_FOR_SCHEME,
            "no store for the scheme '"
                + wanted
                + "' of "
                + location
                + " is on the class path, only for "
                + served
                + "; add the artifact that serves it, e.g. dev.leat:leat-alluxio for s3a and alluxio",
            broken.isEmpty() ? null : broken.get(0));
    broken.stream().skip(1).forEach(none::addSuppressed);
    throw none;
  }

  private static Set<ClassLoader> loaders() {
    Set<ClassLoader> loaders = new LinkedHashSet<>();
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    if (context != null) {
      loaders.add(context);
    }
    loaders.add(Stores.class.getClassLoader());
    return loaders;
  }

  /**
   * The next provider, or null at the end. One that cannot be loaded does not hide the others: it
   * is told only if none of them serves the scheme.
   */
  private static @Nullable BlobStoreProvider next(
      Iterator<BlobStoreProvider> providers, List<ServiceConfigurationError> broken) {
    while (true) {
      try {
        return providers.hasNext() ? providers.next() : null;
      } catch (ServiceConfigurationError e) {
        broken.add(e);
      }
    }
  }
}
