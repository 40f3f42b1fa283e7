package dev.leat.flink.internal.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leat.DataSize;
import dev.leat.DimensionVersion;
import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.VersionGone;
import dev.leat.event.DimensionListener;
import dev.leat.event.DimensionStatistics;
import dev.leat.internal.engine.DimensionReader;
import dev.leat.internal.engine.KnownVersion;
import dev.leat.internal.engine.SteeredDimension;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A dimension that is told what to do, without an engine: versions are names. It fails where a
 * version becomes active that is not held.
 */
class FakeSteered implements SteeredDimension<String, String> {
  private final Executor worker;
  private final Set<String> held = new HashSet<>();
  private final Set<String> gone = new HashSet<>();
  private String source = "v1";
  private @Nullable String active;

  /** Begins with v1 as what the source has; the work is done by an executor. */
  FakeSteered(Executor worker) {
    this.worker = worker;
  }

  static KnownVersion known(String id) {
    return new KnownVersion(id, "fingerprint of " + id, Instant.EPOCH);
  }

  /** What is read; empty before the first version. */
  String reads() {
    return active == null ? "" : active;
  }

  /** What is held beside the version that is read, which may be held once more. */
  Set<String> held() {
    return held;
  }

  /** Lets the source have another version. */
  void source(String versionId) {
    source = versionId;
  }

  /** Lets a version be nowhere any more. */
  void loses(String versionId) {
    gone.add(versionId);
  }

  /** Comes before each piece of work; may throw. */
  void beforeWork() {}

  /** What the source has. */
  String sourceNow() {
    return source;
  }

  private CompletableFuture<KnownVersion> work(Supplier<String> work) {
    CompletableFuture<KnownVersion> outcome = new CompletableFuture<>();
    worker.execute(
        () -> {
          try {
            beforeWork();
            outcome.complete(known(work.get()));
          } catch (LeatException e) {
            outcome.completeExceptionally(e);
          }
        });
    return outcome;
  }

  private String load(String versionId) {
    if (gone.contains(versionId)) {
      throw new LeatException(ErrorCode.VERSION_GONE, versionId + " is gone");
    }
    held.add(versionId);
    return versionId;
  }

  @Override
  public CompletableFuture<KnownVersion> look() {
    return work(this::sourceNow);
  }

  @Override
  public CompletableFuture<KnownVersion> loadFirst() {
    return work(() -> load(sourceNow()));
  }

  @Override
  public CompletableFuture<KnownVersion> prepare(KnownVersion wanted) {
    return work(() -> load(wanted.id()));
  }

  @Override
  public CompletableFuture<KnownVersion> restore(KnownVersion wanted, VersionGone policy) {
    return work(
        () ->
            load(
                policy == VersionGone.USE_NEWER && gone.contains(wanted.id())
                    ? sourceNow()
                    : wanted.id()));
  }

  @Override
  public DimensionVersion activate(String versionId) {
    if (!versionId.equals(active)) {
      assertThat(held).as("held when %s becomes active", versionId).contains(versionId);
      held.remove(versionId);
      if (active != null) {
        held.add(active);
      }
      active = versionId;
    }
    return known(versionId).version();
  }

  @Override
  public void release(String versionId) {
    held.remove(versionId);
  }

  @Override
  public void seen(KnownVersion seen) {}

  @Override
  public DimensionReader<String, String> reader() {
    throw new AssertionError("nobody reads rows");
  }

  @Override
  public DimensionReader<String, String> reader(DataSize hotRows) {
    throw new AssertionError("nobody reads rows");
  }

  @Override
  public DimensionStatistics statistics() {
    throw new AssertionError("nobody asks");
  }

  @Override
  public void addListener(DimensionListener listener) {
    throw new AssertionError("nobody listens");
  }

  @Override
  public void close() {}
}
