package dev.leat.internal.engine;

import dev.leat.event.DimensionEvent.Origin;
import dev.leat.event.DimensionStatistics.Building;
import dev.leat.event.DimensionStatistics.Loads;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Counts how versions were brought in, and latches the failure of the refresh. Thread-safe. */
final class LoadStatistics {
  private long built;
  private long fetched;
  private long reused;
  private long failures;
  private long unchanged;
  private int failuresInARow;
  private Duration latestTime = Duration.ZERO;
  private @Nullable String latestFailure;
  private @Nullable String heldBack;
  private Optional<String> pinned = Optional.empty();
  private long reusedFiles;
  private long reusedRows;
  private @Nullable Building building;

  synchronized void loaded(Origin origin, Duration took) {
    switch (origin) {
      case BUILT -> built++;
      case FETCHED -> fetched++;
      case REUSED -> reused++;
    }
    latestTime = took;
  }

  /** Says how far the build is that goes on. */
  synchronized void building(Building progress) {
    building = progress;
  }

  synchronized void notBuilding() {
    building = null;
  }

  /** Counts what a build took as an earlier one had parsed it. */
  synchronized void reusedRows(long files, long rows) {
    reusedFiles += files;
    reusedRows += rows;
  }

  synchronized void unchanged() {
    unchanged++;
  }

  /** Counts a failure; gives the number of those in a row. */
  synchronized int failed(String message) {
    failures++;
    failuresInARow++;
    latestFailure = message;
    return failuresInARow;
  }

  /** The guard holds a version back. */
  synchronized void heldBack(String versionId) {
    heldBack = versionId;
  }

  /** Somebody has pinned the dimension to a version, or taken the pin away. */
  synchronized void pinned(Optional<String> versionId) {
    pinned = versionId;
  }

  synchronized void nothingHeldBack() {
    heldBack = null;
  }

  /** Ends a row of failures; gives how many they were. */
  synchronized int succeeded() {
    int ended = failuresInARow;
    failuresInARow = 0;
    latestFailure = null;
    return ended;
  }

  synchronized Loads snapshot() {
    return new Loads(
        built + fetched + reused,
        failures,
        latestTime,
        built,
        fetched,
        reused,
        unchanged,
        failuresInARow,
        Optional.ofNullable(latestFailure),
        Optional.ofNullable(heldBack),
        pinned,
        reusedFiles,
        reusedRows,
        Optional.ofNullable(building));
  }
}
