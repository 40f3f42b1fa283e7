package dev.leat.it.cluster;

import dev.leat.it.cluster.CommittedOutput.Enriched;
import dev.leat.it.cluster.Plays.Play;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.TopicPartition;

/**
 * What is wrong with a committed output, counted.
 *
 * @param sent the plays that were sent
 * @param committed the records that were committed
 * @param lost plays without a record
 * @param doubled records beyond the first of their play
 * @param wrong records that are no unchanged play with the row that their edition has, or none
 *     where no edition has one
 * @param epochs the checkpoints that have committed something
 * @param mixed checkpoint epochs with rows of more than one edition
 * @param backwards records whose edition is older than one of an earlier epoch
 * @param disordered plays that were committed by an earlier epoch than a play before them in their
 *     partition
 * @param editions whose rows there are
 * @param examples of what is wrong
 */
record Verdict(
    long sent,
    long committed,
    long lost,
    long doubled,
    long wrong,
    long epochs,
    long mixed,
    long backwards,
    long disordered,
    SortedSet<Integer> editions,
    List<String> examples) {

  static Verdict on(List<Play> plays, CommittedOutput output, Customers customers)
      throws Exception {
    List<String> examples = new ArrayList<>();
    Map<Long, Enriched> byEvent = new HashMap<>();
    Map<TopicPartition, Map<Long, Long>> epochs = output.epochs();
    SortedMap<Long, SortedSet<Integer>> editionsByEpoch = new TreeMap<>();
    SortedSet<Integer> editions = new TreeSet<>();
    long doubled = 0;
    long wrong = 0;
    for (Enriched record : output.records()) {
      doubled += byEvent.putIfAbsent(record.event(), record) == null ? 0 : 1;
      if (record.event() >= plays.size()
          || !isRight(record, plays.get((int) record.event()), customers)) {
        wrong++;
        examples.add("wrong: " + record);
      }
      SortedSet<Integer> ofEpoch =
          editionsByEpoch.computeIfAbsent(epoch(record, epochs), any -> new TreeSet<>());
      if (record.row() != null) {
        ofEpoch.add(record.row().edition());
        editions.add(record.row().edition());
      }
    }
    long mixed = 0;
    long backwards = 0;
    int newest = 0;
    for (Map.Entry<Long, SortedSet<Integer>> epoch : editionsByEpoch.entrySet()) {
      SortedSet<Integer> found = epoch.getValue();
      mixed += found.size() > 1 ? 1 : 0;
      backwards += found.headSet(newest).size();
      if (found.size() > 1 || !found.headSet(newest).isEmpty()) {
        examples.add("epoch " + epoch.getKey() + " after edition " + newest + ": " + found);
      }
      newest = found.isEmpty() ? newest : Math.max(newest, found.last());
    }
    Map<Integer, Long> epochOfPartition = new HashMap<>();
    long lost = 0;
    long disordered = 0;
    for (Play play : plays) {
      Enriched record = byEvent.get(play.event());
      if (record == null) {
        lost++;
        examples.add("lost: " + play);
        continue;
      }
      long epoch = epoch(record, epochs);
      long before = epochOfPartition.getOrDefault(play.partition(), 0L);
      disordered += epoch < before ? 1 : 0;
      epochOfPartition.put(play.partition(), Math.max(epoch, before));
    }
    return new Verdict(
        plays.size(),
        output.records().size(),
        lost,
        doubled,
        wrong,
        editionsByEpoch.size(),
        mixed,
        backwards,
        disordered,
        editions,
        examples.subList(0, Math.min(examples.size(), 20)));
  }

  private static long epoch(Enriched record, Map<TopicPartition, Map<Long, Long>> epochs) {
    return Objects.requireNonNull(
        epochs.getOrDefault(record.partition(), Map.of()).get(record.offset()),
        () -> "no transaction has written " + record);
  }

  private static boolean isRight(Enriched record, Play play, Customers customers) {
    boolean unchanged =
        Objects.equals(record.customer(), play.customer())
            && record.video().equals(play.video())
            && record.started() == play.started();
    if (record.row() == null || play.customer() == null) {
      return unchanged && record.row() == null && !customers.has(play.customer());
    }
    int edition = record.row().edition();
    return unchanged
        && customers.has(play.customer())
        && edition >= 1
        && edition <= customers.editions()
        && record.row().equals(customers.row(play.customer(), edition));
  }
}
