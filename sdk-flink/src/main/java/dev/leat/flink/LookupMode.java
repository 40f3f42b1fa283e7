package dev.leat.flink;

/**
 * Where the index of a dimension stands while a subtask looks keys up in it. Immutable.
 *
 * <p>Start at {@link #auto()}, which is the default.
 */
public final class LookupMode {
  private static final LookupMode AUTO = new LookupMode("auto");
  private static final LookupMode LOCAL = new LookupMode("local");

  private final String name;

  private LookupMode(String name) {
    this.name = name;
  }

  /** The mode that fits the dimension and the host. In this release that is {@link #local()}. */
  public static LookupMode auto() {
    return AUTO;
  }

  /**
   * The whole index is on the local disk of each host, mapped into memory and shared by all its
   * slots. It must fit the budget of {@link dev.leat.LocalDisk}.
   */
  public static LookupMode local() {
    return LOCAL;
  }

  /** The name of the mode. */
  @Override
  public String toString() {
    return name;
  }
}
