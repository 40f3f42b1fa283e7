package dev.leat.flink.table;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.jspecify.annotations.Nullable;

/**
 * Hands the parts of a table out to the readers that ask for one. Which parts there are it learns
 * from the first reader that comes.
 */
final class ScanEnumerator implements SplitEnumerator<ScanSplit, ScanSplit.Progress> {
  private static final int NOBODY = -1;

  private final SplitEnumeratorContext<ScanSplit> context;
  private final Deque<ScanSplit> remaining;
  private final Set<Integer> waiting = new LinkedHashSet<>();
  private boolean found;
  private int looking = NOBODY;

  ScanEnumerator(SplitEnumeratorContext<ScanSplit> context, ScanSplit.Progress progress) {
    this.context = context;
    this.found = progress.found();
    this.remaining = new ArrayDeque<>(progress.remaining());
  }

  @Override
  public void start() {}

  @Override
  public void addReader(int subtask) {
    if (!found && looking == NOBODY) {
      looking = subtask;
      context.sendEventToSourceReader(subtask, new ScanEvents.Look());
    }
  }

  @Override
  public void handleSplitRequest(int subtask, @Nullable String host) {
    if (found) {
      assign(subtask);
    } else {
      waiting.add(subtask);
    }
  }

  @Override
  public void handleSourceEvent(int subtask, SourceEvent event) {
    if (event instanceof ScanEvents.Found answer && !found) {
      found = true;
      remaining.addAll(answer.splits());
      List<Integer> served = new ArrayList<>(waiting);
      waiting.clear();
      served.forEach(this::assign);
    }
  }

  private void assign(int subtask) {
    if (!context.registeredReaders().containsKey(subtask)) {
      // It has failed meanwhile, and asks again when it is back.
      return;
    }
    ScanSplit split = remaining.poll();
    if (split == null) {
      context.signalNoMoreSplits(subtask);
    } else {
      context.assignSplit(split, subtask);
    }
  }

  @Override
  public void addSplitsBack(List<ScanSplit> splits, int subtask) {
    for (int i = splits.size() - 1; i >= 0; i--) {
      remaining.addFirst(splits.get(i));
    }
    waiting.remove(subtask);
    if (looking == subtask) {
      looking = NOBODY;
    }
  }

  @Override
  public ScanSplit.Progress snapshotState(long checkpointId) {
    return new ScanSplit.Progress(found, List.copyOf(remaining));
  }

  @Override
  public void close() throws IOException {}
}
