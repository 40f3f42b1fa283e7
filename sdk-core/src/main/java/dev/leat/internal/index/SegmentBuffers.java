package dev.leat.internal.index;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One thread's distribution of entries over the segments. What it gathers for a segment during one
 * task goes to the store in runs, whose order is that of the rows.
 */
final class SegmentBuffers {
  private final PieceStore store;
  private final byte[] @Nullable [] buffers;
  private final int[] positions;
  private final int bufferBytes;
  private final List<List<Run>> runs = new ArrayList<>();
  private int task;

  SegmentBuffers(PieceStore store, int segments, int bufferBytes) {
    this.store = store;
    this.buffers = new byte[segments][];
    this.positions = new int[segments];
    this.bufferBytes = bufferBytes;
    for (int i = 0; i < segments; i++) {
      runs.add(new ArrayList<>());
    }
  }

  /** Begins a task; the tasks' numbers put the runs of all threads in order. */
  void begin(int newTask) {
    task = newTask;
  }

  /** The buffer of a segment, with room for some bytes. */
  byte[] reserve(int segment, int bytes) {
    byte[] buffer = buffers[segment];
    if (buffer != null && buffer.length - Bits.SLACK - positions[segment] >= bytes) {
      return buffer;
    }
    flush(segment);
    if (buffer == null || buffer.length - Bits.SLACK < bytes) {
      buffer = new byte[Math.max(bufferBytes, bytes) + Bits.SLACK];
      buffers[segment] = buffer;
    }
    return buffer;
  }

  int position(int segment) {
    return positions[segment];
  }

  void added(int segment, int bytes) {
    positions[segment] += bytes;
  }

  /** Ends a task. */
  void end() {
    for (int segment = 0; segment < positions.length; segment++) {
      flush(segment);
    }
  }

  private void flush(int segment) {
    byte[] buffer = buffers[segment];
    if (buffer != null && positions[segment] > 0) {
      try {
        runs.get(segment).add(new Run(task, store.keep(buffer, 0, positions[segment])));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      positions[segment] = 0;
    }
  }

  List<Run> runs(int segment) {
    return runs.get(segment);
  }

  /**
   * Entries of one segment from one task.
   *
   * @param task the task
   */
  record Run(int task, Piece piece) {}
}
