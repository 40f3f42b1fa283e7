package dev.leat.it.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.Staleness;
import dev.leat.event.DimensionEvent;
import dev.leat.event.DimensionStatistics;
import dev.leat.event.DimensionStatistics.Health;
import dev.leat.internal.engine.DimensionReader;
import dev.leat.internal.engine.DimensionService;
import dev.leat.internal.engine.ImpatientServices;
import dev.leat.it.engine.Lake.HeldRead;
import dev.leat.it.engine.Lake.S3Answer;
import dev.leat.it.engine.RealServers.Customer;
import dev.leat.it.engine.RealServers.Task;
import dev.leat.spi.CacheTier;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Faults of S3, of Alluxio and of the clock, and what becomes of a dimension that is served
 * meanwhile: written once, and held against the real servers and against the testkit's fakes.
 *
 * <p>The engine has the {@linkplain ImpatientServices settings of production on a smaller scale}.
 * Its clock is moved by hand, that of its stores is the real one.
 */
abstract class FaultScenarios {
  private static final Duration SOON = Duration.ofMinutes(2);
  private static final int ROWS = 20_000;
  private static final int FOREVER = 1_000_000;
  private static final String ALLUXIO = "alluxio";
  private static final String SOURCE = "source";

  @TempDir Path disk;
  @TempDir Path otherDisk;
  @TempDir Path thirdDisk;
  private Lake lake;
  private Task task;

  /** The lake of one test; the test heals it. */
  abstract Lake lake();

  @BeforeEach
  void begin() {
    lake = lake();
    task = task(disk);
  }

  @AfterEach
  void end() {
    lake.heal();
    task.close();
  }

  private Task task(Path directory) {
    return new Task(lake.credentials(), directory, ImpatientServices::acquire);
  }

  private DimensionService<Long, Customer> open(String key, CacheTier... tiers)
      throws InterruptedException {
    return task.open(RealServers.request(lake.dimension(key), disk, tiers));
  }

  private DimensionService<Long, Customer> openElsewhere(
      Task elsewhere, String key, Path directory, CacheTier... tiers) throws InterruptedException {
    return elsewhere.open(RealServers.request(lake.dimension(key), directory, tiers));
  }

  private void put(String key, String name) {
    lake.put(key + "/part-0", 0, ROWS, name);
  }

  private static void assertServes(DimensionService<Long, Customer> service, String name) {
    assertServes(service, 0, ROWS, name);
  }

  private static void assertServes(
      DimensionService<Long, Customer> service, long from, long to, String name) {
    try (DimensionReader<Long, Customer> reader = service.reader()) {
      for (long id = from; id < to; id++) {
        assertThat(reader.find(id)).isEqualTo(new Customer(id, name + " " + id));
      }
    }
  }

  private static void assertHasNot(DimensionService<Long, Customer> service, long id) {
    try (DimensionReader<Long, Customer> reader = service.reader()) {
      assertThat(reader.find(id)).isNull();
    }
  }

  /** Lets the refresh interval pass, and holds the look that follows to its deadlines. */
  private void refresh(DimensionService<Long, Customer> service) {
    long begin = System.nanoTime();
    task.refresh(service);
    assertThat(Duration.ofNanos(System.nanoTime() - begin))
        .isLessThan(ImpatientServices.LONGEST_REFRESH);
  }

  private static DimensionStatistics.Tier tier(DimensionService<?, ?> service, String name) {
    return service.statistics().tiers().get(name);
  }

  private static DimensionStatistics.Loads loads(DimensionService<?, ?> service) {
    return service.statistics().loads();
  }

  private List<DimensionEvent.TierDegraded> degraded(String tier) {
    return task.events(DimensionEvent.TierDegraded.class).stream()
        .filter(event -> event.tier().equals(tier))
        .toList();
  }

  private List<DimensionEvent.TierHealed> healed(String tier) {
    return task.events(DimensionEvent.TierHealed.class).stream()
        .filter(event -> event.tier().equals(tier))
        .toList();
  }

  private DimensionEvent.RefreshFailed latestFailure() {
    List<DimensionEvent.RefreshFailed> failures = task.events(DimensionEvent.RefreshFailed.class);
    return failures.get(failures.size() - 1);
  }

  private static void awaitBreaker(DimensionService<?, ?> service, String tier, Health state) {
    await().atMost(SOON).until(() -> tier(service, tier).health() == state);
  }

  // ---- Alluxio is away or slow ---------------------------------------------------------------

  @Test
  void whileTheWorkerIsAwayTheSourceServesAndTheHealedTierIsUsedAgain() throws Exception {
    assertOutageIsPassedOver("worker-away", lake::stopWorker, lake::startWorker);
  }

  @Test
  void whileTheMasterIsAwayTheSourceServesAndTheHealedTierIsUsedAgain() throws Exception {
    assertOutageIsPassedOver("master-away", lake::stopMaster, lake::startMaster);
  }

  @Test
  void aWorkerThatAnswersTooLateCostsItsDeadlineAndNoMore() throws Exception {
    assertOutageIsPassedOver("worker-slow", lake::slowWorker, lake::heal);
  }

  @Test
  void aMasterThatAnswersTooLateCostsItsDeadlineAndNoMore() throws Exception {
    assertOutageIsPassedOver("master-slow", lake::slowMaster, lake::heal);
  }

  private void assertOutageIsPassedOver(String key, Runnable breakIt, Runnable mend)
      throws Exception {
    put(key, "one");
    DimensionService<Long, Customer> service = open(key, lake.tier());
    assertServes(service, "one");
    assertThat(tier(service, ALLUXIO).hits()).isPositive();
    assertThat(tier(service, ALLUXIO).health()).isEqualTo(Health.CLOSED);

    breakIt.run();
    try (Watch watch = Watch.over(service, "one", "two", "three", "four")) {
      put(key, "two");
      refresh(service);
      assertServes(service, "two");
      assertThat(tier(service, ALLUXIO).fallbacks()).isPositive();
      assertThat(tier(service, SOURCE).bytes()).isPositive();
      assertThat(degraded(ALLUXIO)).hasSize(1);
      await()
          .atMost(SOON)
          .until(() -> !task.events(DimensionEvent.PublicationFailed.class).isEmpty());
      awaitBreaker(service, ALLUXIO, Health.OPEN);

      put(key, "three");
      refresh(service);
      assertServes(service, "three");
      // Told once, and not as healed while it is not.
      assertThat(degraded(ALLUXIO)).hasSize(1);
      assertThat(healed(ALLUXIO)).isEmpty();
      assertThat(loads(service).failures()).isZero();

      mend.run();
      awaitHealed(service);
      long hits = tier(service, ALLUXIO).hits();
      put(key, "four");
      refresh(service);
      assertServes(service, "four");
      assertThat(tier(service, ALLUXIO).hits()).isGreaterThan(hits);
      watch.awaitName("four");
    }
  }

  private void awaitHealed(DimensionService<Long, Customer> service) {
    await()
        .atMost(SOON)
        .until(
            () -> {
              task.refresh(service);
              return !healed(ALLUXIO).isEmpty();
            });
    awaitBreaker(service, ALLUXIO, Health.CLOSED);
  }

  @Test
  void withMasterAndWorkerAwayJobsStartAndAfterARestartOfBothTheirIndexIsFound() throws Exception {
    put("both-away", "one");
    DimensionService<Long, Customer> service = open("both-away", lake.tier());
    lake.stopWorker();
    lake.stopMaster();
    put("both-away", "two");
    refresh(service);
    assertServes(service, "two");
    try (Task late = task(otherDisk)) {
      DimensionService<Long, Customer> other =
          openElsewhere(late, "both-away", otherDisk, lake.tier());
      assertServes(other, "two");
      assertThat(loads(other).built()).isEqualTo(1);
    }

    lake.startMaster();
    lake.startWorker();
    awaitHealed(service);
    await()
        .atMost(SOON)
        .untilAsserted(
            () -> {
              try (Task restarted = task(thirdDisk)) {
                DimensionService<Long, Customer> third =
                    openElsewhere(restarted, "both-away", thirdDisk, lake.tier());
                assertServes(third, "two");
                assertThat(loads(third).built()).isZero();
                assertThat(tier(third, SOURCE).bytes()).isZero();
              }
            });
  }

  @Test
  void aTierThatTakesNothingMoreIsServedWithoutAndPublishedToWhenItHasRoom() throws Exception {
    put("full", "one");
    DimensionService<Long, Customer> service = open("full", lake.tierThatCanBeFull());
    lake.fill();
    put("full", "two");
    refresh(service);
    assertServes(service, "two");
    await()
        .atMost(SOON)
        .until(() -> !task.events(DimensionEvent.PublicationFailed.class).isEmpty());
    assertThat(loads(service).failures()).isZero();
    try (Task other = task(otherDisk)) {
      DimensionService<Long, Customer> elsewhere =
          openElsewhere(other, "full", otherDisk, lake.tierThatCanBeFull());
      assertServes(elsewhere, "two");
      assertThat(loads(elsewhere).built()).isEqualTo(1);
    }

    lake.heal();
    awaitHealed(service);
    // One look finds the tier healed and publishes; the next one begins when that has ended.
    refresh(service);
    refresh(service);
    try (Task third = task(thirdDisk)) {
      DimensionService<Long, Customer> fetching =
          openElsewhere(third, "full", thirdDisk, lake.tierThatCanBeFull());
      assertServes(fetching, "two");
      assertThat(loads(fetching).fetched()).isEqualTo(1);
    }
  }

  // ---- Alluxio has what is not right ---------------------------------------------------------

  @Test
  void afterAnOverwriteOfTheSameLengthNoOldRowIsServedAsANewOne() throws Exception {
    put("same-length", "old");
    DimensionService<Long, Customer> service = open("same-length", lake.tier());
    assertServes(service, "old");
    // As long as before, so that nothing but the content's tag tells.
    for (String name : List.of("new", "abc")) {
      put("same-length", name);
      refresh(service);
      assertServes(service, name);
    }
    assertThat(loads(service).built()).isEqualTo(3);
    assertThat(degraded(ALLUXIO)).isEmpty();
  }

  @Test
  void afterAnOverwriteOfAnotherLengthNoRowIsOldCutOrLeftOver() throws Exception {
    put("other-length", "old");
    DimensionService<Long, Customer> service = open("other-length", lake.tier());
    lake.put("other-length/part-0", 0, ROWS / 2, "shorter");
    refresh(service);
    assertServes(service, 0, ROWS / 2, "shorter");
    assertHasNot(service, ROWS / 2);
    lake.put("other-length/part-0", 0, 2 * ROWS, "longer");
    refresh(service);
    assertServes(service, 0, 2 * ROWS, "longer");
    assertThat(service.statistics().served().orElseThrow().rows()).isEqualTo(2 * ROWS);
    assertThat(degraded(ALLUXIO)).isEmpty();
  }

  @Test
  void aTruncatedBlockIsReadFromTheSource() throws Exception {
    put("cut", "one");
    DimensionService<Long, Customer> service = open("cut", lake.tier());
    lake.put("cut/part-1", ROWS, 2 * ROWS, "one");
    lake.cacheTruncated("cut/part-1", 100_000);
    refresh(service);
    assertServes(service, 0, 2 * ROWS, "one");
    assertThat(service.statistics().served().orElseThrow().rejectedRows()).isZero();
    assertThat(tier(service, ALLUXIO).fallbacks()).isPositive();
    assertThat(degraded(ALLUXIO)).hasSize(1);
    assertThat(loads(service).failures()).isZero();
  }

  @Test
  void aConnectionToAlluxioThatBreaksOnceIsMadeAgain() throws Exception {
    put("break-once", "one");
    DimensionService<Long, Customer> service = open("break-once", lake.tier());
    put("break-once", "two");
    lake.breakReads(1);
    refresh(service);
    assertServes(service, "two");
    assertThat(service.statistics().served().orElseThrow().duplicateKeys()).isZero();
    assertThat(tier(service, ALLUXIO).fallbacks()).isZero();
    assertThat(degraded(ALLUXIO)).isEmpty();
  }

  @Test
  void whereConnectionsToAlluxioAlwaysBreakTheSourceServes() throws Exception {
    put("break-always", "one");
    DimensionService<Long, Customer> service = open("break-always", lake.tier());
    put("break-always", "two");
    lake.breakReads(FOREVER);
    refresh(service);
    assertServes(service, "two");
    assertThat(service.statistics().served().orElseThrow().duplicateKeys()).isZero();
    assertThat(tier(service, ALLUXIO).fallbacks()).isPositive();
    assertThat(degraded(ALLUXIO)).hasSize(1);
    assertThat(loads(service).failures()).isZero();
    lake.heal();
    awaitHealed(service);
  }

  // ---- S3 answers with a failure, or not at all ----------------------------------------------

  @Test
  void aFewRequestsToSlowDownAreNoFailure() throws Exception {
    put("slow-down", "good");
    lake.s3Answers(S3Answer.SLOW_DOWN, 3, "slow-down");
    DimensionService<Long, Customer> service = open("slow-down");
    assertServes(service, "good");
    assertThat(loads(service).failures()).isZero();
    assertThat(tier(service, SOURCE).health()).isEqualTo(Health.CLOSED);
  }

  @Test
  void aSourceThatThrottlesForLongIsNeitherAskedMoreNorGivenUpAndStalenessSpeaksInTime()
      throws Exception {
    put("throttled", "old");
    Duration limit = RealServers.INTERVAL.multipliedBy(2).plusMinutes(1);
    DimensionService<Long, Customer> service =
        task.open(
            RealServers.request(lake.dimension("throttled"), Staleness.failAfter(limit), disk));
    put("throttled", "new");
    lake.s3Answers(S3Answer.SLOW_DOWN, FOREVER, "throttled");
    try (DimensionReader<Long, Customer> reader = service.reader()) {
      for (int failures = 1; failures <= 2; failures++) {
        refresh(service);
        assertThat(loads(service).failuresInARow()).isEqualTo(failures);
        assertThat(loads(service).latestFailure().orElseThrow()).contains("slow down");
        assertThat(latestFailure().code()).isEqualTo(ErrorCode.SOURCE_UNREADABLE);
        assertThat(service.statistics().served().orElseThrow().age())
            .isEqualTo(RealServers.INTERVAL.multipliedBy(failures));
        reader.advance();
        assertServes(service, "old");
      }
      // A store that asks to slow down is there, so nothing is broken off.
      assertThat(tier(service, SOURCE).health()).isEqualTo(Health.CLOSED);
      assertThat(tier(service, SOURCE).failures()).isPositive();

      task.moveClock(Duration.ofMinutes(1).plusMillis(1));
      assertThatThrownBy(reader::advance)
          .isInstanceOfSatisfying(
              LeatException.class, e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.STALE))
          .hasMessageContaining("slow down");

      lake.heal();
      refresh(service);
      assertThat(reader.advance()).isTrue();
      assertServes(service, "new");
    }
    await()
        .atMost(SOON)
        .until(() -> task.events(DimensionEvent.RefreshRecovered.class).size() == 1);
    assertThat(loads(service).failuresInARow()).isZero();
  }

  @Test
  void aFewInternalErrorsAreNoFailure() throws Exception {
    put("error", "good");
    lake.s3Answers(S3Answer.SERVER_ERROR, 3, "error");
    DimensionService<Long, Customer> service = open("error");
    assertServes(service, "good");
    assertThat(loads(service).failures()).isZero();
    assertThat(degraded(SOURCE)).isEmpty();
  }

  @Test
  void aSourceThatOnlyFailsIsLeftAloneForAWhileAndUsedAgain() throws Exception {
    assertSourceOutage("errors", S3Answer.SERVER_ERROR, ErrorCode.SOURCE_UNREADABLE);
  }

  @Test
  void aSourceThatDoesNotAnswerCostsItsDeadlineAndLookupsGoOn() throws Exception {
    assertSourceOutage("silent", S3Answer.NOTHING, ErrorCode.SOURCE_TIMEOUT);
  }

  private void assertSourceOutage(String key, S3Answer answer, ErrorCode code) throws Exception {
    put(key, "old");
    DimensionService<Long, Customer> service = open(key);
    put(key, "new");
    lake.s3Answers(answer, FOREVER, key);
    try (Watch watch = Watch.over(service, "old", "new")) {
      refresh(service);
      assertThat(latestFailure().code()).isEqualTo(code);
      assertThat(latestFailure().failures()).isEqualTo(1);
      watch.awaitLookups();
      refresh(service);
      assertThat(latestFailure().failures()).isEqualTo(2);
      assertServes(service, "old");
      assertThat(degraded(SOURCE)).hasSize(1);
      awaitBreaker(service, SOURCE, Health.OPEN);

      lake.heal();
      await()
          .atMost(SOON)
          .until(
              () -> {
                task.refresh(service);
                return loads(service).failuresInARow() == 0;
              });
      assertServes(service, "new");
      awaitBreaker(service, SOURCE, Health.CLOSED);
      assertThat(healed(SOURCE)).hasSize(1);
      assertThat(task.events(DimensionEvent.RefreshRecovered.class)).hasSize(1);
      watch.awaitName("new");
    }
  }

  @Test
  void aSourceThatDoesNotAnswerAtTheStartIsOneErrorInTime() {
    put("silent-start", "good");
    lake.s3Answers(S3Answer.NOTHING, FOREVER, "silent-start");
    long begin = System.nanoTime();
    assertFailsToOpen(task, "silent-start", ErrorCode.SOURCE_TIMEOUT);
    assertThat(Duration.ofNanos(System.nanoTime() - begin))
        .isLessThan(ImpatientServices.LONGEST_REFRESH);
  }

  @Test
  void aConnectionThatBreaksInTheMiddleOfAFileLosesAndDoublesNoRow() throws Exception {
    put("reset", "good");
    lake.s3Answers(S3Answer.RESET, 2, "reset");
    DimensionService<Long, Customer> service = open("reset");
    assertServes(service, "good");
    assertThat(service.statistics().served().orElseThrow().rows()).isEqualTo(ROWS);
    assertThat(service.statistics().served().orElseThrow().duplicateKeys()).isZero();
    assertThat(loads(service).failures()).isZero();
  }

  // ---- credentials ---------------------------------------------------------------------------

  @Test
  void credentialsThatExpireStopTheRefreshAndNotTheJob() throws Exception {
    put("expired", "old");
    DimensionService<Long, Customer> service = open("expired");
    put("expired", "new");
    lake.s3Answers(S3Answer.EXPIRED_TOKEN, FOREVER, "expired");
    refresh(service);
    assertThat(latestFailure().code()).isEqualTo(ErrorCode.ACCESS_DENIED);
    assertThat(latestFailure().message()).contains("credentials");
    assertServes(service, "old");
    // It answered: that is no reason to leave it alone.
    assertThat(tier(service, SOURCE).health()).isEqualTo(Health.CLOSED);

    lake.heal();
    refresh(service);
    assertServes(service, "new");
    assertThat(task.events(DimensionEvent.RefreshRecovered.class)).hasSize(1);
  }

  @Test
  void credentialsThatHaveExpiredAtTheStartAreOneError() {
    put("expired-start", "good");
    lake.s3Answers(S3Answer.EXPIRED_TOKEN, FOREVER, "expired-start");
    assertFailsToOpen(task, "expired-start", ErrorCode.ACCESS_DENIED);
  }

  @Test
  void wrongCredentialsAreOneErrorWithoutTheSecret() {
    put("wrong", "good");
    try (Task stranger = new Task(lake.wrongCredentials(), otherDisk, ImpatientServices::acquire)) {
      assertFailsToOpen(stranger, "wrong", ErrorCode.ACCESS_DENIED);
    }
  }

  private void assertFailsToOpen(Task where, String key, ErrorCode code) {
    assertThatThrownBy(() -> where.open(RealServers.request(lake.dimension(key), otherDisk)))
        .isInstanceOfSatisfying(LeatException.class, e -> assertThat(e.errorCode()).isEqualTo(code))
        .hasMessageContaining("lake")
        .hasMessageContaining("/" + key)
        .hasMessageNotContaining(RealLake.WRONG_SECRET);
  }

  // ---- a source that changes while it is read ------------------------------------------------

  @Test
  void anObjectThatIsOverwrittenWhileItIsReadVoidsTheAttempt() throws Exception {
    lake.put("moving/part-0", 0, ROWS, "old");
    lake.put("moving/part-1", ROWS, 2 * ROWS, "old");
    HeldRead held = lake.holdRead("moving/part-1");
    DimensionService<Long, Customer> service =
        task.begin(RealServers.request(lake.dimension("moving"), disk));
    held.awaitReader();
    lake.put("moving/part-0", 0, ROWS, "new");
    lake.put("moving/part-1", ROWS, 2 * ROWS, "new");
    held.release();
    service.awaitFirstVersion();
    assertServes(service, 0, 2 * ROWS, "new");
    assertThat(task.events(DimensionEvent.SourceChangedWhileReading.class)).isNotEmpty();
    assertThat(loads(service).failures()).isZero();
  }

  @Test
  void anObjectThatIsDeletedWhileItIsReadVoidsTheAttempt() throws Exception {
    lake.put("shrinking/part-0", 0, ROWS, "good");
    lake.put("shrinking/part-1", ROWS, 2 * ROWS, "good");
    HeldRead held = lake.holdRead("shrinking/part-1");
    DimensionService<Long, Customer> service =
        task.begin(RealServers.request(lake.dimension("shrinking"), disk));
    held.awaitReader();
    lake.delete("shrinking/part-1");
    held.release();
    service.awaitFirstVersion();
    assertServes(service, "good");
    assertHasNot(service, ROWS);
    assertThat(task.events(DimensionEvent.SourceChangedWhileReading.class)).isNotEmpty();
  }

  @Test
  void whatAListingDoesNotShowYetIsServedWhenItDoes() throws Exception {
    put("eventual", "good");
    DimensionService<Long, Customer> service = open("eventual");
    lake.freezeListing("eventual/");
    lake.put("eventual/part-1", ROWS, 2 * ROWS, "good");
    refresh(service);
    assertThat(loads(service).unchanged()).isEqualTo(1);
    assertServes(service, "good");
    assertHasNot(service, ROWS);

    lake.heal();
    refresh(service);
    assertServes(service, 0, 2 * ROWS, "good");
  }

  @Test
  void aListingOfWhatIsNoLongerThereIsNeverServedAndPasses() throws Exception {
    put("outdated", "old");
    lake.put("outdated/part-1", ROWS, 2 * ROWS, "old");
    DimensionService<Long, Customer> service = open("outdated");
    lake.put("outdated/part-2", 2 * ROWS, 3 * ROWS, "old");
    lake.freezeListing("outdated/");
    put("outdated", "new");
    lake.delete("outdated/part-2");

    refresh(service);
    assertThat(latestFailure().code()).isEqualTo(ErrorCode.SOURCE_CHANGING);
    assertServes(service, 0, 2 * ROWS, "old");
    assertFailsToOpen(task, "outdated", ErrorCode.SOURCE_CHANGING);

    lake.heal();
    refresh(service);
    assertServes(service, "new");
    assertServes(service, ROWS, 2 * ROWS, "old");
    assertHasNot(service, 2 * ROWS);
  }

  // ---- clocks --------------------------------------------------------------------------------

  @Test
  void aClockThatJumpsAheadMakesOneLookDueAndTheAgeIsRightAfterIt() throws Exception {
    put("ahead", "old");
    Duration limit = RealServers.INTERVAL.multipliedBy(2);
    DimensionService<Long, Customer> service =
        task.open(RealServers.request(lake.dimension("ahead"), Staleness.failAfter(limit), disk));
    put("ahead", "new");
    task.moveClock(Duration.ofDays(365));
    await().atMost(SOON).until(() -> loads(service).loads() == 2);
    assertServes(service, "new");
    assertThat(service.statistics().served().orElseThrow().age()).isLessThan(limit);
    try (DimensionReader<Long, Customer> reader = service.reader()) {
      reader.advance();
    }
    refresh(service);
    assertThat(loads(service).unchanged()).isEqualTo(1);
  }

  @Test
  void aClockThatIsSetBackStopsNeitherTheRefreshNorTheAlarm() throws Exception {
    put("back", "old");
    Duration limit = RealServers.INTERVAL.multipliedBy(3);
    DimensionService<Long, Customer> service =
        task.open(RealServers.request(lake.dimension("back"), Staleness.failAfter(limit), disk));
    put("back", "new");
    task.moveClock(Duration.ofDays(-365));
    letTimePassUntil(() -> loads(service).loads() == 2);
    assertServes(service, "new");

    lake.s3Answers(S3Answer.EXPIRED_TOKEN, FOREVER, "back");
    task.moveClock(Duration.ofDays(-365));
    letTimePassUntil(() -> loads(service).failuresInARow() > 0);
    try (DimensionReader<Long, Customer> reader = service.reader()) {
      // The clock does not tell any more how old the version is: its age counts from here.
      assertThat(service.statistics().served().orElseThrow().age().isNegative()).isFalse();
      reader.advance();
      task.moveClock(limit.plusMillis(1));
      assertThatThrownBy(reader::advance)
          .isInstanceOfSatisfying(
              LeatException.class, e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.STALE));
    }
  }

  /** Interval after interval, since a wait may not see each move of the clock. */
  private void letTimePassUntil(BooleanSupplier happened) {
    await()
        .atMost(SOON)
        .until(
            () -> {
              task.moveClock(RealServers.INTERVAL);
              return happened.getAsBoolean();
            });
  }
}
