package dev.leat.it.simulation;

import dev.leat.testkit.ManualClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** What the stores of a host share with it: its turn, its chance, and what it did. */
final class HostLine {
  private final ManualClock world;
  private final Turn turn;
  private final Random random;
  private final List<String> notes = new ArrayList<>();

  HostLine(ManualClock world, Turn turn, long seed) {
    this.world = world;
    this.turn = turn;
    this.random = new Random(seed);
  }

  ManualClock world() {
    return world;
  }

  Turn turn() {
    return turn;
  }

  Random random() {
    return random;
  }

  synchronized void note(String what) {
    notes.add(what);
  }

  /** What was noted since the last call. */
  synchronized List<String> take() {
    List<String> taken = List.copyOf(notes);
    notes.clear();
    return taken;
  }
}
