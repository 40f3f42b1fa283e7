package dev.leat.flink;

import static java.util.Objects.requireNonNull;

import dev.leat.DataSize;
import dev.leat.Dimension;
import dev.leat.DuplicateKeys;
import dev.leat.Guard;
import dev.leat.LocalDisk;
import dev.leat.Refresh;
import dev.leat.RequestRate;
import dev.leat.Staleness;
import dev.leat.VersionGone;
import dev.leat.VersionRetention;
import dev.leat.flink.internal.JoinPlan;
import dev.leat.flink.internal.JoinTransformation;
import dev.leat.flink.internal.Misses;
import dev.leat.flink.internal.RowView;
import dev.leat.internal.engine.ServiceRequest;
import dev.leat.internal.engine.schedule.LookTimes;
import dev.leat.spi.CacheTier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.api.common.functions.InvalidTypesException;
import org.apache.flink.api.common.functions.JoinFunction;
import org.apache.flink.api.common.typeinfo.TypeHint;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.util.FlinkRuntimeException;

/**
 * The join of a stream of events with a dimension.
 *
 * <p>It is defined in four steps that come in this order, {@code from}, {@code join} or {@code
 * leftJoin}, {@code on}, {@code cachedIn}; then come optional ones in any order; {@code combine}
 * puts it into the job:
 *
 * <pre>{@code
 * DataStream<EnrichedPlay> out = Enrichment.from(plays)
 *     .leftJoin(customers)
 *     .on(VideoPlay::customerId)
 *     .cachedIn(Alluxio.at("alluxio://master:19998"))
 *     .combine((play, customer) -> EnrichedPlay.of(play, customer), EnrichedPlay.class);
 * }</pre>
 *
 * <p>Each step gives a new object and leaves the former one as it was, so that several joins can
 * share their first steps. Wrong arguments are refused at the call, with {@link
 * NullPointerException} or {@link IllegalArgumentException}. The join is one operator, chained to
 * its neighbours; timestamps, watermarks and the order of events stay as they are.
 *
 * @param <E> the type of the events
 * @param <R> what the combiner gets beside the event: a row, or in a left join an {@code Optional}
 *     of one
 */
public final class Enrichment<E, R> {
  private static final Refresh DEFAULT_REFRESH = Refresh.every(Duration.ofMinutes(5));

  private final Keyed<E, ?, ?, R> keyed;
  private final JoinSettings<E> settings;

  private Enrichment(Keyed<E, ?, ?, R> keyed, JoinSettings<E> settings) {
    this.keyed = keyed;
    this.settings = settings;
  }

  /**
   * Begins a join.
   *
   * @param events the stream whose events are to be joined
   */
  public static <E> FromStage<E> from(DataStream<E> events) {
    return new FromStage<>(requireNonNull(events, "events"));
  }

  /**
   * When the source of the dimension is looked at for a new version. The default is every five
   * minutes.
   */
  public Enrichment<E, R> refresh(Refresh refresh) {
    return with(
        ImmutableJoinSettings.copyOf(settings).withRefresh(requireNonNull(refresh, "refresh")));
  }

  /**
   * What happens when the served version can no longer be shown to be current. The default is
   * {@link Staleness#serveForever()}.
   */
  public Enrichment<E, R> whenStale(Staleness staleness) {
    return with(
        ImmutableJoinSettings.copyOf(settings)
            .withStaleness(requireNonNull(staleness, "staleness")));
  }

  /**
   * Which new versions are held back because they have too few rows. The default is {@link
   * Guard#standard()}: one without any row, where the version before it had some.
   */
  public Enrichment<E, R> guardedBy(Guard guard) {
    return with(ImmutableJoinSettings.copyOf(settings).withGuard(requireNonNull(guard, "guard")));
  }

  /**
   * How long versions are kept that are served no more, so that a checkpoint or savepoint which
   * needs one finds it. The default is {@link VersionRetention#standard()}.
   */
  public Enrichment<E, R> retaining(VersionRetention retention) {
    return with(
        ImmutableJoinSettings.copyOf(settings)
            .withRetention(requireNonNull(retention, "retention")));
  }

  /**
   * How many requests a second each TaskManager sends to the source of the dimension. The default
   * is {@link RequestRate#unlimited()}. What caches are asked does not count.
   */
  public Enrichment<E, R> limitSource(RequestRate rate) {
    return with(
        ImmutableJoinSettings.copyOf(settings).withSourceRate(requireNonNull(rate, "rate")));
  }

  /**
   * What happens where the job resumes from a checkpoint or savepoint whose version can no longer
   * be had. The default is {@link VersionGone#FAIL}.
   */
  public Enrichment<E, R> whenVersionGone(VersionGone policy) {
    return with(
        ImmutableJoinSettings.copyOf(settings).withVersionGone(requireNonNull(policy, "policy")));
  }

  /**
   * What becomes of an event without a row. The default is {@link MissPolicy#drop()} in {@code
   * join} and {@link MissPolicy#keep()} in {@code leftJoin}.
   */
  public Enrichment<E, R> onMiss(MissPolicy<E> policy) {
    requireNonNull(policy, "policy");
    if (policy.misses() instanceof Misses.Keep<E> && keyed.join.rows.needsRow()) {
      throw new IllegalArgumentException(
          "an inner join cannot "
              + policy
              + " an event without a row of dimension '"
              + keyed.join.dimension.name()
              + "', since its combiner needs one; use leftJoin, or MissPolicy.drop() or"
              + " .toSideOutput(tag)");
    }
    return with(ImmutableJoinSettings.copyOf(settings).withMisses(policy.misses()));
  }

  /**
   * Which rows are kept where several have the same key. The default is {@link
   * DuplicateKeys#KEEP_LAST}. With {@link DuplicateKeys#KEEP_ALL} an event gives one output per
   * row, as in SQL.
   */
  public Enrichment<E, R> onDuplicateKey(DuplicateKeys policy) {
    return with(
        ImmutableJoinSettings.copyOf(settings).withDuplicates(requireNonNull(policy, "policy")));
  }

  /** Where the index stands while keys are looked up. The default is {@link LookupMode#auto()}. */
  public Enrichment<E, R> lookup(LookupMode mode) {
    requireNonNull(mode, "mode");
    return this;
  }

  /**
   * Keeps rows that are asked for often as objects, in front of the index, and gives the same
   * object again: it must not be changed. Saves garbage where few keys come most of the time, and
   * not processor time: the index makes a row anew faster than one of many kept objects is found.
   * Nothing is kept by default, and nothing of a version after it.
   *
   * @param perSubtask about what the kept rows may take in each subtask
   */
  public Enrichment<E, R> hotRows(DataSize perSubtask) {
    requireNonNull(perSubtask, "perSubtask");
    if (perSubtask.bytes() == 0) {
      throw new IllegalArgumentException(
          "hot rows of 0 bytes keep nothing; give a size, or leave the step out");
    }
    return with(ImmutableJoinSettings.copyOf(settings).withHotRows(perSubtask));
  }

  /**
   * Gives the combiner the version beside the row, for instance to write it down with the output.
   */
  public Enrichment<E, Match<R>> withVersion() {
    return new Enrichment<>(versioned(keyed), settings);
  }

  private static <E, K, D, R> Keyed<E, K, D, Match<R>> versioned(Keyed<E, K, D, R> keyed) {
    Join<E, K, D, R> join = keyed.join;
    return new Keyed<>(
        new Join<>(join.events, join.dimension, new RowView.Versioned<>(join.rows)), keyed.key);
  }

  /**
   * The name of the operator in the job graph, in logs and in metrics. The default is e.g. {@code
   * Leat join customers}.
   */
  public Enrichment<E, R> named(String name) {
    return with(ImmutableJoinSettings.copyOf(settings).withName(notBlank(name, "name")));
  }

  /**
   * The uid of the operator, by which a savepoint finds its state. The default is {@code leat-} and
   * the name of the dimension; a second join with the same dimension in a job gets {@code -2} added
   * to it, and so on. Changing it, be it by this call or by another name of the dimension, costs a
   * restart from a savepoint with {@code --allowNonRestoredState} as soon as the operator has
   * state; the indexes on disk stay usable.
   */
  public Enrichment<E, R> uid(String uid) {
    return with(ImmutableJoinSettings.copyOf(settings).withUid(notBlank(uid, "uid")));
  }

  /**
   * Puts the join into the job.
   *
   * @param combiner makes an output of an event and a row, never null. Runs on the task's thread;
   *     may be a {@link org.apache.flink.api.common.functions.RichJoinFunction}
   * @param outputType the class of the output; for a generic one use a {@link TypeHint}
   */
  public <O> SingleOutputStreamOperator<O> combine(
      JoinFunction<E, R, O> combiner, Class<O> outputType) {
    requireNonNull(combiner, "combiner");
    requireNonNull(outputType, "outputType");
    TypeInformation<O> information;
    try {
      information = TypeInformation.of(outputType);
    } catch (InvalidTypesException | FlinkRuntimeException e) {
      throw new IllegalArgumentException(
          "the class "
              + outputType.getName()
              + " does not say its whole type; give a TypeHint: new"
              + " TypeHint<"
              + outputType.getSimpleName()
              + "<...>>() {}",
          e);
    }
    return combine(combiner, information);
  }

  /**
   * Puts the join into the job.
   *
   * @param combiner makes an output of an event and a row, never null
   * @param outputType the generic type of the output: {@code new TypeHint<Tuple2<String, Long>>()
   *     {}}
   */
  public <O> SingleOutputStreamOperator<O> combine(
      JoinFunction<E, R, O> combiner, TypeHint<O> outputType) {
    requireNonNull(combiner, "combiner");
    return combine(combiner, requireNonNull(outputType, "outputType").getTypeInfo());
  }

  /**
   * Puts the join into the job.
   *
   * @param combiner makes an output of an event and a row, never null
   * @param outputType the type of the output
   */
  public <O> SingleOutputStreamOperator<O> combine(
      JoinFunction<E, R, O> combiner, TypeInformation<O> outputType) {
    requireNonNull(combiner, "combiner");
    requireNonNull(outputType, "outputType");
    return apply(keyed, combiner, outputType);
  }

  private <K, D, O> SingleOutputStreamOperator<O> apply(
      Keyed<E, K, D, R> joined, JoinFunction<E, R, O> combiner, TypeInformation<O> outputType) {
    Refresh refresh = settings.refresh().orElse(DEFAULT_REFRESH);
    Staleness staleness = settings.staleness().orElse(Staleness.serveForever());
    checkFits(refresh, staleness, settings.refresh().isPresent() ? "" : " (the default)");
    ServiceRequest<K, D> request =
        new ServiceRequest<>(
            joined.join.dimension,
            settings.duplicates(),
            settings.tiers(),
            refresh,
            staleness,
            settings.guard(),
            settings.retention(),
            settings.sourceRate());
    return JoinTransformation.apply(
        joined.join.events,
        new JoinPlan<>(
            request,
            joined.key,
            joined.join.rows,
            settings.misses(),
            combiner,
            settings.versionGone(),
            settings.hotRows().orElse(null)),
        outputType,
        settings.name(),
        settings.uid());
  }

  private Enrichment<E, R> with(JoinSettings<E> changed) {
    if (changed.hotRows().isPresent() && changed.duplicates() == DuplicateKeys.KEEP_ALL) {
      throw new IllegalArgumentException(
          "hot rows keep one row of a key, and "
              + DuplicateKeys.KEEP_ALL
              + " gives all of them; leave one of both out");
    }
    if (changed.refresh().isPresent() && changed.staleness().isPresent()) {
      checkFits(changed.refresh().get(), changed.staleness().get(), "");
    }
    return new Enrichment<>(keyed, changed);
  }

  /** A version gets old between two looks without anything being wrong: the limit must allow it. */
  private static void checkFits(Refresh refresh, Staleness staleness, String origin) {
    if (staleness.limit().isEmpty()) {
      return;
    }
    Duration limit = staleness.limit().get();
    Optional<Duration> pause = LookTimes.of(refresh).longestPause();
    if (pause.isEmpty() || limit.compareTo(pause.get()) <= 0) {
      throw new IllegalArgumentException(
          "the staleness limit "
              + limit
              + " must be longer than the time between two looks at the"
              + " source, and the refresh is "
              + refresh
              + origin
              + pause.map(longest -> ", with pauses of up to " + longest).orElse("")
              + "; refresh more often, or accept a greater age");
    }
  }

  private static String notBlank(String text, String parameter) {
    if (requireNonNull(text, parameter).isBlank()) {
      throw new IllegalArgumentException(
          "the "
              + parameter
              + " '"
              + text
              + "' is blank; give one, or leave the step out for the"
              + " default");
    }
    return text;
  }

  /**
   * A join that has its events; next its dimension.
   *
   * @param <E> the type of the events
   */
  public static final class FromStage<E> {
    private final DataStream<E> events;

    private FromStage(DataStream<E> events) {
      this.events = events;
    }

    /** Joins each event with its row; the combiner runs only where there is one. */
    public <K, D> JoinStage<E, K, D> join(Dimension<K, D> dimension) {
      requireNonNull(dimension, "dimension");
      return new JoinStage<>(new Join<>(events, dimension, new RowView.Bare<>()));
    }

    /** Joins each event with its row if there is one; the combiner gets it as an Optional. */
    public <K, D> JoinStage<E, K, Optional<D>> leftJoin(Dimension<K, D> dimension) {
      requireNonNull(dimension, "dimension");
      return new JoinStage<>(new Join<>(events, dimension, new RowView.Maybe<>()));
    }
  }

  /**
   * A join that has its events and its dimension; next the key.
   *
   * @param <E> the type of the events
   * @param <K> the type of the dimension's key
   * @param <R> what the combiner gets beside the event
   */
  public static final class JoinStage<E, K, R> {
    private final Join<E, K, ?, R> join;

    private JoinStage(Join<E, K, ?, R> join) {
      this.join = join;
    }

    /**
     * Says by which key the row of an event is found.
     *
     * @param key gives the key of an event, of the type of the dimension's key; null means that the
     *     event has no row. Runs on the task's thread
     */
    public OnStage<E, R> on(KeySelector<E, K> key) {
      return new OnStage<>(new Keyed<>(join, requireNonNull(key, "key")));
    }
  }

  /**
   * A join that has its events, its dimension and its key; last the cache.
   *
   * @param <E> the type of the events
   * @param <R> what the combiner gets beside the event
   */
  public static final class OnStage<E, R> {
    private final Keyed<E, ?, ?, R> keyed;

    private OnStage(Keyed<E, ?, ?, R> keyed) {
      this.keyed = keyed;
    }

    /**
     * Names the cache tiers between the job and the source, from the nearest to the farthest. The
     * local disk is always the nearest one, and the source stands behind the last; neither needs to
     * be named.
     *
     * @param first the nearest tier; {@link LocalDisk#defaults()} for a join without a remote one
     * @param further the ones behind it
     */
    public Enrichment<E, R> cachedIn(CacheTier first, CacheTier... further) {
      List<CacheTier> tiers = new ArrayList<>();
      tiers.add(requireNonNull(first, "first"));
      for (CacheTier tier : requireNonNull(further, "further")) {
        tiers.add(requireNonNull(tier, "further"));
      }
      Set<String> names = new HashSet<>();
      for (CacheTier tier : tiers) {
        if (!names.add(tier.tierName())) {
          throw new IllegalArgumentException(
              "the tier '"
                  + tier.tierName()
                  + "' is named twice in "
                  + tiers
                  + "; name each tier once");
        }
        if (tier instanceof LocalDisk && tier != first) {
          throw new IllegalArgumentException(
              "the local disk is the nearest tier and cannot stand behind '"
                  + first.tierName()
                  + "'; name it first");
        }
      }
      Misses<E> misses = keyed.join.rows.needsRow() ? new Misses.Drop<>() : new Misses.Keep<>();
      return new Enrichment<>(
          keyed, ImmutableJoinSettings.<E>builder().tiers(tiers).misses(misses).build());
    }
  }

  private record Join<E, K, D, R>(
      DataStream<E> events, Dimension<K, D> dimension, RowView<D, R> rows) {}

  private record Keyed<E, K, D, R>(Join<E, K, D, R> join, KeySelector<E, K> key) {}
}
