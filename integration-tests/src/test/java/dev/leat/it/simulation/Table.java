package dev.leat.it.simulation;

import dev.leat.Dimension;
import dev.leat.DuplicateKeys;
import dev.leat.format.DelimitedText;
import dev.leat.internal.engine.SteppedEngine;
import dev.leat.spi.Blob;
import dev.leat.testkit.InMemoryS3;
import dev.leat.testkit.ManualClock;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The table and its writer, and the answers that are known of it: which rows each state of the
 * table has, and until when a listing showed it.
 */
final class Table {
  private static final String PREFIX = "customers/";
  private static final int KEYS = 160;

  /**
   * What the table was at a time.
   *
   * @param number counts the states
   * @param files the content of each file
   */
  record State(int number, Map<String, String> files) {

    /** The rows that can be found; of several with a key the last one of the last file. */
    Map<String, String> rows() {
      Map<String, String> rows = new HashMap<>();
      new TreeMap<>(files)
          .values()
          .forEach(
              text ->
                  text.lines()
                      .map(line -> line.split("\\|"))
                      .forEach(cells -> rows.put(cells[0], cells[1])));
      return rows;
    }
  }

  private final InMemoryS3 s3;
  private final ManualClock clock;
  private final Random random;
  private final Dimension<String, Row> dimension;
  private final TreeMap<String, String> files = new TreeMap<>();
  private final Map<Map<String, String>, State> history = new LinkedHashMap<>();
  private final Map<State, Instant> lastShown = new HashMap<>();
  private final Set<State> namedStates = new HashSet<>();
  private final Map<String, State> named = new HashMap<>();
  private final Map<State, Map<String, String>> rows = new HashMap<>();
  private State written;
  private State shown;
  private boolean frozen;
  private int revisions;
  private @Nullable String staged;

  Table(InMemoryS3 s3, ManualClock clock, Random random) {
    this.s3 = s3;
    this.clock = clock;
    this.random = random;
    this.dimension =
        Dimension.named("customers")
            .at(s3.uri(PREFIX).toString())
            .rows(Row.class, DelimitedText.separatedBy('|').columns("id", "value"))
            .keyedBy(String.class, "id");
    for (int i = 0; i < 3; i++) {
      files.put("part-" + i, content("part-" + i));
      s3.put(PREFIX + "part-" + i, files.get("part-" + i));
    }
    this.written = state();
    this.shown = written;
  }

  Dimension<String, Row> dimension() {
    return dimension;
  }

  /** A key, which may be one that no row has. */
  static String key(Random random) {
    return String.format(Locale.ROOT, "k%03d", random.nextInt(KEYS + 20));
  }

  /** The lines of a new content; no line of it was ever written before. */
  private String content(String name) {
    int revision = ++revisions;
    int count = random.nextInt(10) == 0 ? 250 : 4 + random.nextInt(40);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append(String.format(Locale.ROOT, "k%03d", random.nextInt(KEYS)))
          .append('|')
          .append(name)
          .append('.')
          .append(revision)
          .append('.')
          .append(i)
          .append('\n');
    }
    return text.toString();
  }

  private State state() {
    Map<String, String> now = Map.copyOf(files);
    State state = history.get(now);
    if (state == null) {
      state = new State(history.size(), now);
      history.put(now, state);
    }
    return state;
  }

  private void put(String name, String text) {
    files.put(name, text);
    s3.put(PREFIX + name, text);
    changed();
  }

  private void delete(String name) {
    files.remove(name);
    s3.delete(PREFIX + name);
    changed();
  }

  private void changed() {
    written = state();
    if (!frozen) {
      show(written);
    }
  }

  private void show(State next) {
    lastShown.put(shown, clock.instant());
    shown = next;
  }

  /** Writes something, and says what. */
  String write() {
    List<String> names = new ArrayList<>(files.keySet());
    String any = names.isEmpty() ? "part-0" : names.get(random.nextInt(names.size()));
    int what = names.isEmpty() ? 0 : random.nextInt(12);
    if (staged != null && what > 7) {
      String done = staged;
      String text = new String(s3.content(hidden(done)).orElseThrow(), StandardCharsets.UTF_8);
      s3.delete(hidden(done));
      staged = null;
      put(done, text);
      return "publishes the staged " + done;
    }
    if (what < 5) {
      put(any, content(any));
      return "overwrites " + any;
    }
    if (what == 5) {
      String added = "part-" + random.nextInt(8);
      put(added, content(added));
      return "writes " + added;
    }
    if (what == 6 && names.size() > 1) {
      delete(any);
      return "deletes " + any;
    }
    if (what == 7) {
      names.stream().skip(1).forEach(this::delete);
      return "shrinks the table";
    }
    if (what == 8) {
      staged = any;
      s3.put(hidden(any), content(any));
      return "stages " + any;
    }
    if (what == 9 && random.nextInt(3) == 0) {
      names.forEach(this::delete);
      return "empties the table";
    }
    names.forEach(name -> put(name, content(name)));
    return "rewrites all files";
  }

  private static String hidden(String name) {
    return PREFIX + "_temporary/" + name;
  }

  /** Listings show the table as it is now until {@link #thaw}. */
  void freeze() {
    if (!frozen) {
      frozen = true;
      s3.freezeListing();
    }
  }

  void thaw() {
    if (frozen) {
      frozen = false;
      s3.thawListing();
      show(written);
    }
  }

  /** Writes a row where there is none, for the end. */
  void neverEmpty() {
    if (files.isEmpty()) {
      put("part-0", content("part-0"));
    }
  }

  /** What a listing shows. */
  State shown() {
    return shown;
  }

  /** When a listing showed a state last; empty if none ever did. */
  Optional<Instant> lastShown(State state) {
    return state.equals(shown)
        ? Optional.of(clock.instant())
        : Optional.ofNullable(lastShown.get(state));
  }

  Map<String, String> rows(State state) {
    return rows.computeIfAbsent(state, State::rows);
  }

  /** Whether any state ever had the row. */
  boolean wasEverWritten(String key, String value) {
    return history.values().stream().anyMatch(each -> value.equals(rows(each).get(key)));
  }

  /** The state that a version is. */
  Optional<State> stateOf(String versionId) {
    if (!named.containsKey(versionId)) {
      history.values().forEach(this::name);
    }
    return Optional.ofNullable(named.get(versionId));
  }

  private void name(State state) {
    if (state.files().isEmpty() || !namedStates.add(state)) {
      return;
    }
    List<Blob> listed = new ArrayList<>();
    try (InMemoryS3 scratch = InMemoryS3.create("names-of-" + s3.bucket(), clock)) {
      new TreeMap<>(state.files())
          .forEach(
              (name, text) -> {
                String etag = scratch.put(name, text);
                listed.add(
                    new Blob(
                        s3.uri(PREFIX + name),
                        text.getBytes(StandardCharsets.UTF_8).length,
                        Optional.of(etag),
                        clock.instant()));
              });
    }
    try {
      String id = SteppedEngine.versionId(dimension, DuplicateKeys.KEEP_LAST, listed);
      State other = named.put(id, state);
      if (other != null) {
        throw new IllegalStateException(
            "two states have one version: " + other.number() + ", " + state.number());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while naming a version", e);
    }
  }
}
