package dev.leat.internal.engine;

import dev.leat.Dimension;
import dev.leat.internal.engine.source.Source;
import dev.leat.internal.engine.source.SourceErrors;
import dev.leat.internal.engine.source.SourceReading;
import dev.leat.internal.engine.source.SourceReading.Opened;
import dev.leat.internal.engine.source.SourceVersion;
import dev.leat.internal.engine.tier.StoreClient;
import dev.leat.internal.engine.tier.TierClient;
import dev.leat.internal.index.IndexManifest;
import dev.leat.spi.Blob;
import dev.leat.spi.CacheTier;
import dev.leat.spi.FileSplit;
import dev.leat.spi.RemoteTier;
import dev.leat.spi.RowSink;
import dev.leat.spi.StoreContext;
import dev.leat.spi.StoreSettings;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The rows of a table themselves, without an index: its version, cut into parts, as it was when the
 * scan was opened. Files come from the nearest tier whose copy is proven fresh, as for an index.
 * Belongs to one thread.
 */
public final class SourceScan implements AutoCloseable {
  private final Dimension<?, ?> dimension;
  private final List<AutoCloseable> open;
  private final SourceVersion version;
  private final SourceReading reading;

  /**
   * A part of a table.
   *
   * @param file the position of the file in the version
   * @param start where the part begins in the file
   * @param length how many bytes it has
   */
  public record Part(int file, long start, long length) {}

  private SourceScan(
      Dimension<?, ?> dimension,
      List<AutoCloseable> open,
      SourceVersion version,
      SourceReading reading) {
    this.dimension = dimension;
    this.open = open;
    this.version = version;
    this.reading = reading;
  }

  /**
   * Looks at the source of a request.
   *
   * @throws dev.leat.LeatException as the source or a tier failed
   */
  public static SourceScan open(ServiceRequest<?, ?> request, ServiceEnvironment environment)
      throws InterruptedException {
    Dimension<?, ?> dimension = request.dimension();
    EngineSettings settings = EngineSettings.defaults();
    EventStream events = new EventStream(dimension.name());
    Map<String, String> properties = new HashMap<>(environment.properties());
    properties.putAll(dimension.storeSettings().map(StoreSettings::properties).orElse(Map.of()));
    StoreContext context = new StoreContext(properties);
    List<AutoCloseable> open = new ArrayList<>();
    try {
      List<TierClient> tiers = new ArrayList<>();
      for (CacheTier tier : request.tiers()) {
        if (tier instanceof RemoteTier remote) {
          TierClient client =
              ServiceClients.openTier(dimension.name(), remote, context, settings, events);
          open.add(client);
          tiers.add(client);
        }
      }
      URI location = Source.locate(dimension, tiers);
      StoreClient client =
          ServiceClients.openSource(
              dimension.name(), location, context, settings, request.sourceRate(), events);
      Source source =
          new Source(
              dimension,
              request.duplicates(),
              location,
              tiers,
              client,
              IndexManifest.FORMAT_VERSION);
      open.add(source);
      return new SourceScan(dimension, open, source.look(), source.reading(tiers));
    } catch (InterruptedException | RuntimeException | Error e) {
      open.forEach(each -> ServiceClients.closeQuietly(each, e));
      throw e;
    }
  }

  /** Identifies the content: the same for the same files and definition in every process. */
  public String version() {
    return version.id();
  }

  /** The parts of the table, each of about {@code bytes}, in the order of the source. */
  public List<Part> parts(long bytes) {
    List<Part> parts = new ArrayList<>();
    for (int file = 0; file < version.files().size(); file++) {
      for (FileSplit split : version.scan().splits(file, version.files().get(file), bytes)) {
        parts.add(new Part(file, split.start(), split.length()));
      }
    }
    return parts;
  }

  /**
   * Reads a part into a sink, which gets the columns of the dimension by their position; behind
   * them may come others, that the dimension's filter asks for. The filter itself is not applied to
   * rows, only to partitions.
   *
   * <p>Where a tier fails in the middle, the part is read again from the next one, and the rows
   * that the sink has got are left out.
   *
   * @throws dev.leat.LeatException as the source failed; exceptions of the sink pass through
   */
  public void read(Part part, RowSink sink) {
    Blob file = version.files().get(part.file());
    FileSplit split = new FileSplit(file, part.start(), part.length());
    SkippingSink rows = new SkippingSink(sink);
    while (true) {
      TierClient tier = null;
      try (Opened opened = reading.open(file)) {
        tier = opened.tier();
        version.scan().readUnfiltered(part.file(), split, opened.reader(), rows);
        if (tier != null) {
          tier.client().worked();
        }
        return;
      } catch (IOException e) {
        if (tier == null || Thread.currentThread().isInterrupted()) {
          throw failure(file, e);
        }
        reading.failed(tier, e);
        rows.again();
      }
    }
  }

  private RuntimeException failure(Blob file, IOException failure) {
    try {
      return SourceErrors.of(dimension.name(), file.uri(), failure);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new IllegalStateException("the scan was interrupted", e);
    }
  }

  @Override
  public void close() {
    RuntimeException failure = new IllegalStateException("not all could be closed");
    for (int i = open.size() - 1; i >= 0; i--) {
      ServiceClients.closeQuietly(open.get(i), failure);
    }
    open.clear();
    if (failure.getSuppressed().length > 0) {
      throw failure;
    }
  }

  /** Leaves out rows that were given on before the reading began anew. */
  private static final class SkippingSink implements RowSink {
    private final RowSink target;
    private long given;
    private long toSkip;
    private boolean skipping;

    SkippingSink(RowSink target) {
      this.target = target;
    }

    void again() {
      toSkip = given;
    }

    @Override
    public void beginRow(long offset) {
      skipping = toSkip > 0;
      if (!skipping) {
        target.beginRow(offset);
      }
    }

    @Override
    public void setLong(int column, long value) {
      if (!skipping) {
        target.setLong(column, value);
      }
    }

    @Override
    public void setDouble(int column, double value) {
      if (!skipping) {
        target.setDouble(column, value);
      }
    }

    @Override
    public void setBytes(int column, byte[] bytes, int offset, int length) {
      if (!skipping) {
        target.setBytes(column, bytes, offset, length);
      }
    }

    @Override
    public void setDecimal(int column, byte[] unscaled, int offset, int length) {
      if (!skipping) {
        target.setDecimal(column, unscaled, offset, length);
      }
    }

    @Override
    public void setTimestamp(int column, long epochSecond, int nano) {
      if (!skipping) {
        target.setTimestamp(column, epochSecond, nano);
      }
    }

    @Override
    public void unparsable(int column, byte[] raw, int offset, int length) {
      if (!skipping) {
        target.unparsable(column, raw, offset, length);
      }
    }

    @Override
    public void endRow() {
      if (!ended()) {
        target.endRow();
      }
    }

    @Override
    public void reject(long line, int column, String reason) {
      if (!ended()) {
        target.reject(line, column, reason);
      }
    }

    /** Whether the row that ends was given on before. */
    private boolean ended() {
      if (skipping) {
        toSkip--;
        return true;
      }
      given++;
      return false;
    }
  }
}
