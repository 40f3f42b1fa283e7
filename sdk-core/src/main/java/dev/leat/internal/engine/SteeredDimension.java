package dev.leat.internal.engine;

import dev.leat.DimensionVersion;
import dev.leat.VersionGone;
import java.util.concurrent.CompletableFuture;

/**
 * A dimension whose version is decided elsewhere, for all processes of a job at once. Does nothing
 * until it is told to. Several handles share the work and may be at different versions. The work is
 * done by the service's thread, one order after the other; a future ends on that thread, and fails
 * with a {@link dev.leat.LeatException} or, where the service is closed, with another exception.
 * Thread-safe.
 */
public interface SteeredDimension<K, D> extends ServedDimension<K, D> {

  /**
   * Looks at the source, loads the version that it has, and holds it. Where the source is away the
   * version that this host served last is taken, if the staleness policy allows its age.
   */
  CompletableFuture<KnownVersion> loadFirst();

  /**
   * Loads the version of a checkpoint and holds it.
   *
   * @param policy what to do where it is gone
   * @return it, or the newer one that takes its place; fails with {@code VERSION_GONE}
   */
  CompletableFuture<KnownVersion> restore(KnownVersion version, VersionGone policy);

  /** Looks which version the source has now, and loads nothing. */
  CompletableFuture<KnownVersion> look();

  /**
   * Loads a version beside the active one and holds it. Fails with {@code VERSION_GONE} if the
   * source has another one by now and nobody has published this one.
   */
  CompletableFuture<KnownVersion> prepare(KnownVersion version);

  /**
   * Makes a held version the one that readers move to when they advance. The one that was active is
   * held until it is released. Does not wait, and does nothing where it is active already.
   *
   * @throws IllegalStateException if it is not held
   */
  DimensionVersion activate(String versionId);

  /** Lets go of a held version; does nothing if it is not held. */
  void release(String versionId);

  /** Notes that the source was seen to have a version, whether it is loaded here or not. */
  void seen(KnownVersion version);
}
