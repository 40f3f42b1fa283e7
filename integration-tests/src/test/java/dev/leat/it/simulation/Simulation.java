package dev.leat.it.simulation;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

/**
 * Runs seeds: {@code integration-tests/simulate --seeds FROM..TO}. A seed that shows something that
 * must not be is printed with what happened; {@code --seeds N..N} runs it again, and the same
 * happens.
 */
public final class Simulation {
  /** How many things befall the hosts in a run, each of which may be many steps of theirs. */
  static final int STEPS = 110;

  /** Runs wait for each other's threads most of the time, so some more than there are cores. */
  private static final int RUNS_PER_CORE = 4;

  private static final String USAGE =
      """
      usage: integration-tests/simulate [--seeds FROM..TO] [--steps N] [--trace yes|no] [--planted BUG]

        --seeds FROM..TO   the seeds to run, both included; 1..1000 unless told otherwise
        --steps N          how many things befall the hosts in each run; 110 unless told otherwise
        --trace yes        prints what happened in each run, and its hash
        --planted BUG      with a bug that must be found, one of:
      """;

  private final Planted planted;
  private final int steps;

  Simulation(Planted planted, int steps) {
    this.planted = planted;
    this.steps = steps;
  }

  /** Runs what the arguments say, prints, and exits with 1 if something was found. */
  public static void main(String[] arguments) {
    long from = 1;
    long to = 1000;
    int steps = STEPS;
    boolean trace = false;
    Planted planted = Planted.NONE;
    try {
      if (arguments.length % 2 != 0) {
        throw new IllegalArgumentException("each option has one value");
      }
      for (int i = 0; i < arguments.length; i += 2) {
        String value = arguments[i + 1];
        switch (arguments[i]) {
          case "--seeds" -> {
            String[] range = value.split("\\.\\.", -1);
            from = Long.parseLong(range[0]);
            to = Long.parseLong(range[range.length - 1]);
          }
          case "--steps" -> steps = Integer.parseInt(value);
          case "--trace" -> trace = value.equals("yes");
          case "--planted" -> planted = Planted.valueOf(value);
          default -> throw new IllegalArgumentException("there is no option " + arguments[i]);
        }
      }
      if (to < from) {
        throw new IllegalArgumentException("the seeds " + from + ".." + to + " are none");
      }
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.err.print(USAGE);
      Planted.bugs().forEach(bug -> System.err.println("                       " + bug));
      System.exit(2);
    }
    Report report = new Simulation(planted, steps).run(from, to, System.out, trace);
    System.out.println(report);
    System.exit(report.clean() ? 0 : 1);
  }

  /** The counts of many runs. */
  record Report(long seeds, long wrong, long stale, long lost, long doubled, long leaks) {

    boolean clean() {
      return wrong + stale + lost + doubled + leaks == 0;
    }

    @Override
    public String toString() {
      return "RESULT seeds="
          + seeds
          + " wrong="
          + wrong
          + " stale="
          + stale
          + " lost="
          + lost
          + " doubled="
          + doubled
          + " leaks="
          + leaks;
    }
  }

  /** Runs seeds, some at a time, and prints those that show something. */
  Report run(long from, long to, PrintStream out, boolean traceAll) {
    ExecutorService runs =
        Executors.newFixedThreadPool(RUNS_PER_CORE * Runtime.getRuntime().availableProcessors());
    long[] counts = new long[Finding.Kind.values().length];
    try {
      List<Future<Outcome>> outcomes = new ArrayList<>();
      for (long seed = from; seed <= to; seed++) {
        long each = seed;
        outcomes.add(runs.submit(() -> run(each)));
      }
      for (Future<Outcome> future : outcomes) {
        Outcome outcome = future.get();
        outcome.findings().forEach(finding -> counts[finding.kind().ordinal()]++);
        if (traceAll || !outcome.findings().isEmpty()) {
          print(outcome, out);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the simulation was interrupted", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("a run failed: " + e.getCause(), e.getCause());
    } finally {
      runs.shutdownNow();
    }
    return new Report(to - from + 1, counts[0], counts[1], counts[2], counts[3], counts[4]);
  }

  private static void print(Outcome outcome, PrintStream out) {
    out.println("---- seed " + outcome.seed() + ", trace " + outcome.hash());
    outcome.trace().forEach(out::println);
    outcome.findings().forEach(out::println);
    out.println(
        "---- seed "
            + outcome.seed()
            + " again: --seeds "
            + outcome.seed()
            + ".."
            + outcome.seed());
  }

  /** Runs one seed. */
  Outcome run(long seed) {
    FutureTask<Outcome> run = new FutureTask<>(() -> inWorld(seed));
    // A group of its own, in which all threads of the run are found.
    Thread thread = new Thread(new ThreadGroup("seed-" + seed), run, "seed-" + seed);
    thread.start();
    try {
      return run.get();
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
      throw new IllegalStateException("seed " + seed + " was interrupted", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException(
          "seed " + seed + " cannot be run: " + e.getCause(), e.getCause());
    }
  }

  private Outcome inWorld(long seed) throws Exception {
    Path memory = Path.of("/dev/shm");
    Path directory =
        Files.isWritable(memory)
            ? Files.createTempDirectory(memory, "leat-seed-")
            : Files.createTempDirectory("leat-seed-");
    try (World world = new World(seed, planted, directory)) {
      return world.run(steps);
    } finally {
      delete(directory);
    }
  }

  private static void delete(Path directory) {
    try {
      Leftovers.delete(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
