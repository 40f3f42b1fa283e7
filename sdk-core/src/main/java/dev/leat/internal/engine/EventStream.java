package dev.leat.internal.engine;

import dev.leat.DataSize;
import dev.leat.ErrorCode;
import dev.leat.event.DimensionEvent;
import dev.leat.event.DimensionListener;
import dev.leat.internal.engine.tier.Announcer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs the events of one dimension and hands them to its listeners, one at a time. Thread-safe. */
final class EventStream implements Announcer {
  private static final Logger LOG = LoggerFactory.getLogger(DimensionServices.class);

  private final String dimension;
  private final List<DimensionListener> listeners = new CopyOnWriteArrayList<>();
  private final Object oneAtATime = new Object();

  EventStream(String dimension) {
    this.dimension = dimension;
  }

  @Override
  public String dimension() {
    return dimension;
  }

  void add(DimensionListener listener) {
    listeners.add(listener);
  }

  void remove(DimensionListener listener) {
    listeners.remove(listener);
  }

  @Override
  public void announce(DimensionEvent event) {
    log(event);
    synchronized (oneAtATime) {
      for (DimensionListener listener : listeners) {
        try {
          listener.on(event);
        } catch (RuntimeException e) {
          LOG.warn(
              "Dimension '{}': a listener failed on {}",
              dimension,
              event.getClass().getSimpleName(),
              e);
        }
      }
    }
  }

  private void log(DimensionEvent event) {
    if (event instanceof DimensionEvent.VersionActivated e) {
      LOG.info(
          "Dimension '{}': serving version {} ({}), {} rows, index of {}, ready after {}",
          dimension,
          e.version().id(),
          e.origin().name().toLowerCase(Locale.ROOT),
          e.rows(),
          DataSize.ofBytes(e.indexBytes()),
          seconds(e.took()));
    } else if (event instanceof DimensionEvent.PinChanged e) {
      LOG.info(
          "Dimension '{}': {}",
          dimension,
          e.versionId()
              .map(pin -> "it is pinned to version " + pin + "; the source is not followed")
              .orElse("it is not pinned any more; the source is followed again"));
    } else if (event instanceof DimensionEvent.BuildProgress e) {
      LOG.info(
          "Dimension '{}': building version {}: {} rows, {} of {} read ({}%), {}% done, about {} left",
          dimension,
          e.versionId(),
          e.rows(),
          DataSize.ofBytes(e.bytes()),
          DataSize.ofBytes(e.totalBytes()),
          e.totalBytes() == 0 ? 100 : e.bytes() * 100 / e.totalBytes(),
          (int) (100 * e.done()),
          seconds(e.remaining()));
    } else if (event instanceof DimensionEvent.FilesReused e) {
      LOG.info(
          "Dimension '{}': version {} was built without reading {} of {} files, which had not changed: {} rows of {}",
          dimension,
          e.versionId(),
          e.files(),
          e.totalFiles(),
          e.rows(),
          DataSize.ofBytes(e.bytes()));
    } else if (event instanceof DimensionEvent.VersionRetired e) {
      LOG.info(
          "Dimension '{}': version {} is no longer read and was unmapped",
          dimension,
          e.versionId());
    } else if (event instanceof DimensionEvent.SourceUnchanged e) {
      LOG.debug("Dimension '{}': the source still has version {}", dimension, e.version().id());
    } else if (event instanceof DimensionEvent.VersionHeldBack e) {
      LOG.error(
          "Dimension '{}': version {} is held back and the one before it goes on serving: {}",
          dimension,
          e.versionId(),
          e.reason());
    } else if (event instanceof DimensionEvent.RefreshFailed e
        && e.code() == ErrorCode.VERSION_HELD_BACK) {
      LOG.debug(
          "Dimension '{}': the source has a version that is held back: {}", dimension, e.message());
    } else if (event instanceof DimensionEvent.RefreshFailed e) {
      if (e.failures() == 1) {
        LOG.warn(
            "Dimension '{}': the refresh failed, the served version goes on serving: {}",
            dimension,
            e.message());
      } else {
        LOG.debug(
            "Dimension '{}': the refresh failed {} times in a row: {}",
            dimension,
            e.failures(),
            e.message());
      }
    } else if (event instanceof DimensionEvent.RefreshRecovered e) {
      LOG.info(
          "Dimension '{}': the refresh works again after {} failures; the source has version {}",
          dimension,
          e.failures(),
          e.version().id());
    } else if (event instanceof DimensionEvent.SourceChangedWhileReading e) {
      LOG.info(
          "Dimension '{}': the source changed while version {} was read (attempt {}); reading it again",
          dimension,
          e.versionId(),
          e.attempt());
    } else if (event instanceof DimensionEvent.RowsRejected e) {
      LOG.warn(
          "Dimension '{}': version {} lacks {} malformed rows and has {} cells that became NULL because they could not be read; samples: {}",
          dimension,
          e.versionId(),
          e.rejectedRows(),
          e.unparsableCells(),
          e.samples());
    } else if (event instanceof DimensionEvent.TierDegraded e) {
      LOG.warn(
          "Dimension '{}': {} fails, the next tier serves in its place: {}",
          dimension,
          e.tier(),
          e.reason());
    } else if (event instanceof DimensionEvent.TierHealed e) {
      LOG.info("Dimension '{}': {} works again and is used again", dimension, e.tier());
    } else if (event instanceof DimensionEvent.PublicationFailed e) {
      LOG.warn(
          "Dimension '{}': version {} could not be published to {}: {}; it is tried again with the next refresh",
          dimension,
          e.versionId(),
          e.tier(),
          e.reason());
    } else if (event instanceof DimensionEvent.IndexDamaged e) {
      LOG.warn(
          "Dimension '{}': the index of version {} in {} is damaged and is replaced: {}",
          dimension,
          e.versionId(),
          e.tier(),
          e.reason());
    }
  }

  private static String seconds(Duration duration) {
    return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1000.0);
  }
}
