package dev.leat.it.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A job with checkpoints and a transactional sink: one subtask per host, each with a stream of
 * events of its own. What was put out since the latest completed checkpoint is thrown away when a
 * subtask fails, and the events are read again from there.
 */
final class Job {

  /** What one event was joined with. */
  record Output(int event, String key, String version, @Nullable String row) {}

  /** The outputs and the next events at a barrier. */
  private record Checkpoint(int[] next, List<List<Output>> outputs) {}

  private final long seed;
  private final Planted planted;
  private final int[] next;
  private final int[] restored;
  private final List<List<Output>> open = new ArrayList<>();
  private final List<List<Output>> committed = new ArrayList<>();
  private final Map<Integer, Checkpoint> pending = new LinkedHashMap<>();
  private int checkpoints;
  private int completed;
  private int restarts;

  Job(long seed, int subtasks, Planted planted) {
    this.seed = seed;
    this.planted = planted;
    this.next = new int[subtasks];
    this.restored = new int[subtasks];
    for (int i = 0; i < subtasks; i++) {
      open.add(new ArrayList<>());
      committed.add(new ArrayList<>());
    }
  }

  int next(int subtask) {
    return next[subtask];
  }

  /** The key of an event: the same whenever it is read. */
  String key(int subtask, int event) {
    return Table.key(new Random(seed * 1_000_003 + subtask * 10_007L + event * 31L));
  }

  void put(int subtask, Output output) {
    open.get(subtask).add(output);
    next[subtask] = output.event() + 1;
  }

  /** The barrier passes all subtasks. */
  int trigger() {
    List<List<Output>> outputs = new ArrayList<>();
    for (List<Output> each : open) {
      int kept = planted == Planted.OUTPUT_BEHIND_THE_BARRIER && each.size() > 1 ? 1 : 0;
      outputs.add(List.copyOf(each.subList(0, each.size() - kept)));
      each.subList(0, each.size() - kept).clear();
    }
    pending.put(++checkpoints, new Checkpoint(next.clone(), outputs));
    return checkpoints;
  }

  /**
   * All have acknowledged the oldest barrier: what stands before it is committed.
   *
   * @return the number of its checkpoint, or 0 where none is open
   */
  int complete() {
    if (pending.isEmpty()) {
      return 0;
    }
    int oldest = pending.keySet().iterator().next();
    Checkpoint checkpoint = pending.remove(oldest);
    for (int i = 0; i < next.length; i++) {
      committed.get(i).addAll(checkpoint.outputs().get(i));
      restored[i] = checkpoint.next()[i];
    }
    completed = oldest;
    return oldest;
  }

  /** How often it has begun again. */
  int restarts() {
    return restarts;
  }

  /** The latest checkpoint that was completed, or 0. */
  int restoredCheckpoint() {
    return completed;
  }

  /** A subtask fails, so all begin again at the latest completed checkpoint. */
  void fail() {
    restarts++;
    if (planted == Planted.TRANSACTIONS_COMMITTED_BY_A_RESTART) {
      pending
          .values()
          .forEach(
              checkpoint -> {
                for (int i = 0; i < next.length; i++) {
                  committed.get(i).addAll(checkpoint.outputs().get(i));
                }
              });
    }
    pending.clear();
    open.forEach(List::clear);
    System.arraycopy(restored, 0, next, 0, next.length);
  }

  List<Output> committed(int subtask) {
    return committed.get(subtask);
  }

  @Override
  public String toString() {
    return "next " + Arrays.toString(next) + ", restored " + Arrays.toString(restored);
  }
}
