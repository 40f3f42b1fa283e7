package dev.leat.internal.index;

/** What a {@link KeyCodec} makes of a key. Reused. */
final class KeyCode {
  /** Says where the row is. */
  long hash;

  /** The groups of a packed key. */
  final long[] groups = new long[KeyCodec.MAX_GROUPS];
}
