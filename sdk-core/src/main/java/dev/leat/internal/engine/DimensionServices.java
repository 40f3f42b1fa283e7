package dev.leat.internal.engine;

/**
 * Where operators get the service of a dimension. Services of equal requests in equal environments
 * are shared and counted; nothing static is left after the last one is closed.
 */
public final class DimensionServices {

  private DimensionServices() {}

  /**
   * A handle to the service of a request, which begins to work if it is the first. Does not wait
   * for the first version. The caller closes it.
   */
  public static <K, D> DimensionService<K, D> acquire(
      ServiceRequest<K, D> request, ServiceEnvironment environment) {
    throw new UnsupportedOperationException(
        "the engine is not wired yet for " + request.dimension() + " in " + environment);
  }
}
