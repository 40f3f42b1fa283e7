package dev.leat.it.engine;

import dev.leat.Dimension;
import dev.leat.alluxio.Alluxio;
import dev.leat.it.engine.RealServers.Customer;
import java.util.Map;

/**
 * A bucket behind an Alluxio, of real servers or of the testkit's fakes, and all the ways to break
 * them. What is broken stays so until {@link #heal}.
 */
interface Lake extends AutoCloseable {

  /** What S3 may answer. */
  enum S3Answer {
    SLOW_DOWN,
    SERVER_ERROR,
    EXPIRED_TOKEN,
    /** The connection breaks in the middle of the content. */
    RESET,
    /** None. */
    NOTHING
  }

  /** A read of S3 that waits. */
  interface HeldRead {
    void awaitReader();

    void release();
  }

  /** A dimension over the objects below a key, named after the key. */
  Dimension<Long, Customer> dimension(String key);

  /** The configuration of a task that may read the bucket. */
  Map<String, String> credentials();

  /** The configuration of a task that may not, until this is healed. */
  Map<String, String> wrongCredentials();

  Alluxio tier();

  /** The tier with an index root that {@link #fill} fills. */
  Alluxio tierThatCanBeFull();

  // ---- what other jobs do --------------------------------------------------------------------

  /** Writes an object of rows {@code from|name from} up to but not including {@code to}. */
  void put(String key, int from, int to, String name);

  void delete(String key);

  // ---- Alluxio -------------------------------------------------------------------------------

  void stopWorker();

  void startWorker();

  void stopMaster();

  void startMaster();

  /** The worker's answers come later than any deadline. */
  void slowWorker();

  /** The master's answers come later than any deadline. */
  void slowMaster();

  /** So many connections to the worker break in the middle of what is read. */
  void breakReads(int times);

  /** Nothing more can be written. */
  void fill();

  /** Has Alluxio cache an object that it does not know yet, and cuts off what it has cached. */
  void cacheTruncated(String key, long bytes);

  // ---- S3 ------------------------------------------------------------------------------------

  /** Requests for keys with a text are answered so. */
  void s3Answers(S3Answer answer, int times, String key);

  /** The next read of a key waits. */
  HeldRead holdRead(String key);

  /** Listings below a key show from now on what is there now. */
  void freezeListing(String key);

  void heal();

  @Override
  void close();
}
