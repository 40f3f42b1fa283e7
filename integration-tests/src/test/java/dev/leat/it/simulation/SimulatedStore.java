package dev.leat.it.simulation;

import dev.leat.it.simulation.Weather.Strike;
import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.BlobStore;
import dev.leat.spi.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A store as one host sees it: before each call the host waits for its turn, the call takes time,
 * and may fail as the weather says. What fails and what does not goes into the host's trace.
 */
final class SimulatedStore implements BlobStore {
  private final BlobStore delegate;
  private final String name;
  private final Weather weather;
  private final HostLine line;

  SimulatedStore(BlobStore delegate, String name, Weather weather, HostLine line) {
    this.delegate = delegate;
    this.name = name;
    this.weather = weather;
    this.line = line;
  }

  private interface Call<T> {
    T run(Strike strike) throws IOException;
  }

  private <T> T call(String word, URI uri, boolean reads, boolean changes, Plain<T> call)
      throws IOException {
    return guarded(word, uri, reads, changes, strike -> call.run());
  }

  /** A call that no weather changes from within. */
  private interface Plain<T> {
    T run() throws IOException;
  }

  private <T> T guarded(String word, URI uri, boolean reads, boolean changes, Call<T> call)
      throws IOException {
    String what = name + " " + word + " " + uri.getPath();
    try {
      line.turn().pause();
    } catch (InterruptedException e) {
      throw interrupted(what, e);
    }
    line.world().advance(Duration.ofMillis(weather.latency(line.random())));
    // Text has no checksum, so nobody could tell: only indexes are damaged on the way.
    boolean checked = reads && uri.getPath().matches(".*/indexes/.*(leat|json)");
    Strike strike = weather.strike(line.random(), reads, checked, changes);
    switch (strike) {
      case FAILS -> {
        StoreException.Kind kind = weather.kind(line.random());
        line.note(what + " fails: " + kind);
        throw new StoreException(kind, what + " failed (simulated)", null);
      }
      case STALLS -> {
        line.note(what + " stalls");
        try {
          line.turn().stall();
        } catch (InterruptedException e) {
          throw interrupted(what, e);
        }
      }
      default -> {}
    }
    try {
      T result = call.run(strike);
      line.note(what + (strike == Strike.NONE ? "" : " " + strike));
      if (strike == Strike.ANSWER_LOST) {
        throw new StoreException(
            StoreException.Kind.UNAVAILABLE, "the answer to " + what + " was lost", null);
      }
      return result;
    } catch (StoreException e) {
      if (strike == Strike.NONE) {
        line.note(what + " failed: " + e.kind());
      }
      throw e;
    }
  }

  private static InterruptedIOException interrupted(String what, InterruptedException cause) {
    Thread.currentThread().interrupt();
    InterruptedIOException interrupted = new InterruptedIOException(what + " was interrupted");
    interrupted.initCause(cause);
    return interrupted;
  }

  @Override
  public List<Blob> list(URI directory) throws IOException {
    return call("list", directory, false, false, () -> delegate.list(directory));
  }

  @Override
  public Optional<Blob> find(URI uri) throws IOException {
    return call("find", uri, false, false, () -> delegate.find(uri));
  }

  @Override
  public BlobReader open(Blob blob) throws IOException {
    return call(
        "open", blob.uri(), false, false, () -> new SimulatedReader(blob, delegate.open(blob)));
  }

  @Override
  public void publish(Path file, URI target) throws IOException {
    call(
        "publish",
        target,
        false,
        true,
        () -> {
          delegate.publish(file, target);
          return target;
        });
  }

  @Override
  public boolean publishIfAbsent(byte[] content, URI target) throws IOException {
    return call(
        "publishIfAbsent", target, false, true, () -> delegate.publishIfAbsent(content, target));
  }

  @Override
  public void delete(URI uri) throws IOException {
    call(
        "delete",
        uri,
        false,
        true,
        () -> {
          delegate.delete(uri);
          return uri;
        });
  }

  @Override
  public void close() {
    delegate.close();
  }

  private final class SimulatedReader implements BlobReader {
    private final Blob blob;
    private final BlobReader opened;

    SimulatedReader(Blob blob, BlobReader opened) {
      this.blob = blob;
      this.opened = opened;
    }

    @Override
    public void readFully(long position, byte[] target, int offset, int length) throws IOException {
      guarded(
          "read",
          blob.uri(),
          true,
          false,
          strike -> {
            if (strike == Strike.BREAKS) {
              throw broken(blob);
            }
            opened.readFully(position, target, offset, length);
            if (strike == Strike.FLIPS) {
              flip(target, offset, length);
            }
            return blob;
          });
    }

    @Override
    public InputStream stream(long position) throws IOException {
      return guarded(
          "stream",
          blob.uri(),
          true,
          false,
          strike ->
              new SimulatedStream(
                  blob,
                  opened.stream(position),
                  strike == Strike.BREAKS ? line.random().nextInt(250) : Integer.MAX_VALUE,
                  strike == Strike.FLIPS));
    }

    @Override
    public void close() throws IOException {
      opened.close();
    }
  }

  private static StoreException broken(Blob blob) {
    return new StoreException(
        StoreException.Kind.UNAVAILABLE, "the connection for " + blob.uri() + " broke", null);
  }

  private void flip(byte[] bytes, int offset, int length) {
    if (length > 0) {
      bytes[offset + line.random().nextInt(length)] ^= (byte) (1 << line.random().nextInt(8));
    }
  }

  private final class SimulatedStream extends InputStream {
    private final Blob blob;
    private final InputStream opened;
    private final boolean flips;
    private int left;

    SimulatedStream(Blob blob, InputStream opened, int breaksAfter, boolean flips) {
      this.blob = blob;
      this.opened = opened;
      this.left = breaksAfter;
      this.flips = flips;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte @Nullable [] target, int offset, int length) throws IOException {
      if (target == null) {
        throw new NullPointerException("target");
      }
      if (left == 0 && length > 0) {
        throw broken(blob);
      }
      int count = opened.read(target, offset, Math.min(length, left));
      left -= Math.max(0, count);
      if (flips && count > 0) {
        flip(target, offset, count);
      }
      return count;
    }

    @Override
    public void close() throws IOException {
      opened.close();
    }
  }
}
