package dev.leat.testkit;

/** What can be asked of a store. */
public enum StoreOperation {
  /** Listing a directory. */
  LIST,
  /** Looking for one blob. */
  FIND,
  /** Opening a blob, which asks nothing of S3. */
  OPEN,
  /** A positioned read. */
  READ,
  /** A sequential stream. */
  STREAM,
  /** Publishing a file. */
  PUBLISH,
  /** Publishing if nothing is there. */
  PUBLISH_IF_ABSENT,
  /** Deleting. */
  DELETE
}
