package dev.leat.internal.engine;

import static java.util.Objects.requireNonNull;

import dev.leat.DimensionVersion;
import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.internal.index.HotRowCounter;
import dev.leat.internal.index.Index;
import dev.leat.internal.index.IndexLookup;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A reader that holds a pin on the version that it reads. */
final class PinnedReader<K, D> implements DimensionReader<K, D> {
  private static final Logger LOG = LoggerFactory.getLogger(PinnedReader.class);

  private final SharedService<?, ?> service;
  private final Track track;
  private final Function<Index, IndexLookup<K, D>> lookups;
  private final HotRowCounter hotRows;
  private final boolean limited;
  private final ReaderCounters counters = new ReaderCounters();
  private final Giving giving = new Giving();

  /** For the version that may come next. */
  private final AtomicReference<@Nullable Prepared<K, D>> prepared = new AtomicReference<>();

  private ServedVersion served;
  private IndexLookup<K, D> lookup;
  private boolean closed;

  /**
   * A reader of a version that is pinned for it.
   *
   * @param track says which version comes next
   * @param lookups makes the lookup of each version that is read
   * @param hotRows is counted by these lookups
   */
  PinnedReader(
      SharedService<?, ?> service,
      Track track,
      ServedVersion served,
      Function<Index, IndexLookup<K, D>> lookups,
      HotRowCounter hotRows,
      boolean limited) {
    this.service = service;
    this.track = track;
    this.lookups = lookups;
    this.hotRows = hotRows;
    this.limited = limited;
    this.served = served;
    this.lookup = lookups.apply(served.local().index());
  }

  ReaderCounters counters() {
    return counters;
  }

  @Override
  public boolean advance() {
    boolean moved = track.current() != served && move();
    if (limited) {
      service.checkAge(served);
    }
    return moved;
  }

  private boolean move() {
    if (closed) {
      // It has no pin left: to give one back would unmap what another reader reads.
      throw closedReader();
    }
    ServedVersion next = track.pinCurrent();
    if (next == served) {
      next.unpin();
      return false;
    }
    IndexLookup<K, D> nextLookup;
    try {
      nextLookup = lookupOf(next);
    } catch (RuntimeException e) {
      next.unpin();
      throw e;
    }
    boolean other = !next.id().equals(served.id());
    served.unpin();
    served = next;
    lookup = nextLookup;
    return other;
  }

  private IndexLookup<K, D> lookupOf(ServedVersion next) {
    IndexLookup<K, D> ready = takePrepared(next);
    return ready == null ? lookups.apply(next.local().index()) : ready;
  }

  private @Nullable IndexLookup<K, D> takePrepared(ServedVersion version) {
    Prepared<K, D> ready = prepared.get();
    return ready != null && ready.version == version && prepared.compareAndSet(ready, null)
        ? ready.lookup
        : null;
  }

  /**
   * Makes the lookup of a version that may come next: classes are generated for it, which would
   * hold up the reader's own thread for some milliseconds. Called by another thread, which has the
   * version pinned.
   */
  void prepare(ServedVersion next) {
    try {
      prepared.set(new Prepared<>(next, lookups.apply(next.local().index())));
    } catch (RuntimeException | Error e) {
      // It fails again where it matters: in the thread of the one who reads.
      LOG.debug("The lookup of version {} cannot be made ahead", next.id(), e);
    }
  }

  /** Lets go of what was made for a version that does not come. */
  void forget(ServedVersion version) {
    takePrepared(version);
  }

  private record Prepared<K, D>(ServedVersion version, IndexLookup<K, D> lookup) {}

  @Override
  public long hotRowHits() {
    return hotRows.hits();
  }

  @Override
  public DimensionVersion version() {
    return served.version();
  }

  @Override
  public @Nullable D find(@Nullable K key) {
    if (key == null) {
      counters.addNullKeys(1);
      return null;
    }
    D row;
    try {
      row = lookup.find(key);
    } catch (LeatException e) {
      replaceDamaged(e);
      row = lookup.find(key);
    }
    if (row == null) {
      counters.addMisses(1);
    } else {
      counters.addHits(1);
    }
    return row;
  }

  @Override
  public int findAll(@Nullable K key, Consumer<? super D> rows) {
    if (key == null) {
      counters.addNullKeys(1);
      return 0;
    }
    int found;
    giving.begin(rows);
    try {
      found = lookup.findAll(key, giving);
    } catch (LeatException e) {
      if (giving.receiverFailed) {
        throw e;
      }
      String before = served.id();
      replaceDamaged(e);
      if (giving.given > 0 && !before.equals(served.id())) {
        // Some rows of the old version have been given, and those of the new one may be others.
        throw e;
      }
      giving.again();
      found = lookup.findAll(key, giving);
    } finally {
      giving.end();
    }
    if (found == 0) {
      counters.addMisses(1);
    } else {
      counters.addHits(1);
    }
    return found;
  }

  @Override
  public void findBatch(@Nullable K[] keys, @Nullable D[] rows, int count) {
    int nulls = 0;
    for (int i = 0; i < count; i++) {
      if (keys[i] == null) {
        nulls++;
      }
    }
    if (nulls > 0) {
      findOneByOne(keys, rows, count);
      return;
    }
    @SuppressWarnings("NullAway") // None of them is null, see above.
    K[] present = keys;
    try {
      lookup.findBatch(present, rows, count);
    } catch (LeatException e) {
      replaceDamaged(e);
      lookup.findBatch(present, rows, count);
    }
    int hits = 0;
    for (int i = 0; i < count; i++) {
      if (rows[i] != null) {
        hits++;
      }
    }
    counters.addHits(hits);
    counters.addMisses(count - (long) hits);
  }

  private void findOneByOne(@Nullable K[] keys, @Nullable D[] rows, int count) {
    for (int i = 0; i < count; i++) {
      rows[i] = find(keys[i]);
    }
  }

  /**
   * If the index was damaged: waits until the service has replaced it, and moves to the
   * replacement. Passes on everything else.
   */
  private void replaceDamaged(LeatException failure) {
    if (failure.errorCode() != ErrorCode.INDEX_DAMAGED) {
      throw failure;
    }
    service.awaitReplacement(track, served, failure);
    move();
  }

  private static IllegalStateException closedReader() {
    return new IllegalStateException("this reader is closed; open another one");
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      // What it read may be unmapped from here on, and a load from there would end the process.
      lookup = new ClosedLookup<>();
      prepared.set(null);
      service.left(this, track);
      served.unpin();
    }
  }

  /**
   * Hands on the rows of a key, counts them, and leaves out those that were handed on before the
   * index was found damaged. One for all calls, so that a call allocates nothing.
   */
  private final class Giving implements Consumer<D> {
    private @Nullable Consumer<? super D> receiver;
    private int given;
    private int skip;

    /** Whether it was the receiver that failed, and not the index. */
    private boolean receiverFailed;

    void begin(Consumer<? super D> rows) {
      receiver = rows;
      given = 0;
      skip = 0;
      receiverFailed = false;
    }

    void again() {
      skip = given;
    }

    void end() {
      receiver = null;
    }

    @Override
    public void accept(D row) {
      if (skip > 0) {
        skip--;
        return;
      }
      given++;
      receiverFailed = true;
      requireNonNull(receiver, "receiver").accept(row);
      receiverFailed = false;
    }
  }

  /** What a closed reader looks up in. */
  private static final class ClosedLookup<K, D> implements IndexLookup<K, D> {
    @Override
    public @Nullable D find(K key) {
      throw closedReader();
    }

    @Override
    public int findAll(K key, Consumer<? super D> rows) {
      throw closedReader();
    }

    @Override
    public void findBatch(K[] keys, @Nullable D[] rows, int count) {
      throw closedReader();
    }
  }
}
