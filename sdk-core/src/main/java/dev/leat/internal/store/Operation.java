package dev.leat.internal.store;

/** What is asked of a store. */
public enum Operation {
  /** Listing a directory. */
  LIST("list"),
  /** Looking at one blob. */
  FIND("find"),
  /** Opening a blob. */
  OPEN("open"),
  /** A positioned read. */
  READ("read"),
  /** Opening a stream, and each read of it. */
  STREAM("stream"),
  /** Publishing a file. */
  PUBLISH("publish"),
  /** Publishing a content if nothing is there. */
  PUBLISH_IF_ABSENT("publish if absent"),
  /** Deleting. */
  DELETE("delete");

  private final String text;

  Operation(String text) {
    this.text = text;
  }

  /** The operation in words. */
  @Override
  public String toString() {
    return text;
  }
}
