package dev.leat.internal.index;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Writes the staged rows of one split to a file from which {@link SplitPlayback} stages them again.
 * Belongs to one thread.
 *
 * <pre>
 *   "LEATrecd"  i32 version  i32 0
 *   for each chunk:  i32 length  i32 checksum  the staged rows
 *   i32 0
 *   footer: key  counts  bad places  for each column: the values of the numbers that its cells have
 *   i32 length of the footer  i32 checksum of the footer  "LEATrecd"
 * </pre>
 */
final class SplitRecording {
  static final byte[] MAGIC = "LEATrecd".getBytes(StandardCharsets.US_ASCII);
  static final int VERSION = 1;
  static final int HEADER_BYTES = 16;
  static final int TRAILER_BYTES = 16;

  private final RecordedSplits owner;
  private final String key;
  private final WritableByteChannel channel;
  private final ValueDictionary[] dictionaries;
  private final BitSet[] used;
  private long bytes;
  private boolean open = true;

  SplitRecording(
      RecordedSplits owner,
      String key,
      WritableByteChannel channel,
      ValueDictionary[] dictionaries) {
    this.owner = owner;
    this.key = key;
    this.channel = channel;
    this.dictionaries = dictionaries;
    this.used = new BitSet[dictionaries.length];
    for (int i = 0; i < used.length; i++) {
      used[i] = new BitSet();
    }
    write(new ByteWriter().raw(MAGIC).i32(VERSION).i32(0).toBytes());
  }

  String key() {
    return key;
  }

  long bytes() {
    return bytes;
  }

  /** Says that a cell of the column has the number of a value. */
  void used(int column, int code) {
    used[column].set(code);
  }

  void chunk(byte[] rows, int length) {
    write(new ByteWriter().i32(length).i32(crc(rows, length)).toBytes());
    write(rows, length);
  }

  /** Writes what is known when the split has ended. */
  void finish(
      SplitCounts counts,
      List<StagedSplit.Incident> rejected,
      List<StagedSplit.Incident> unparsable) {
    ByteWriter footer = new ByteWriter();
    text(footer, key);
    counts.writeTo(footer);
    incidents(footer, rejected);
    incidents(footer, unparsable);
    footer.i32(used.length);
    for (int column = 0; column < used.length; column++) {
      footer.i32(used[column].cardinality());
      for (int code = used[column].nextSetBit(0);
          code >= 0;
          code = used[column].nextSetBit(code + 1)) {
        byte[] value = dictionaries[column].value(code);
        footer.i32(code).i32(value.length).raw(value);
      }
    }
    byte[] content = footer.toBytes();
    write(new ByteWriter().i32(0).toBytes());
    write(content);
    write(
        new ByteWriter()
            .i32(content.length)
            .i32(crc(content, content.length))
            .raw(MAGIC)
            .toBytes());
    if (open) {
      open = false;
      owner.finished(this, channel);
    }
  }

  /** Ends a recording of a split that was not read to its end. */
  void abandon() {
    if (open) {
      giveUp("the build has ended", null);
    }
  }

  private static void incidents(ByteWriter out, List<StagedSplit.Incident> incidents) {
    out.i32(incidents.size());
    for (StagedSplit.Incident incident : incidents) {
      out.i64(incident.offset()).i64(incident.row()).i64(incident.line());
      text(out, incident.column());
      text(out, incident.reason());
    }
  }

  private static void text(ByteWriter out, String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    out.i32(utf8.length).raw(utf8);
  }

  static int crc(byte[] content, int length) {
    CRC32C crc = new CRC32C();
    crc.update(content, 0, length);
    return (int) crc.getValue();
  }

  private void write(byte[] content) {
    write(content, content.length);
  }

  private void write(byte[] content, int length) {
    if (!open) {
      return;
    }
    bytes += length;
    if (!owner.mayGrow(length)) {
      giveUp("the recordings have reached their bound", null);
      return;
    }
    try {
      ByteBuffer buffer = ByteBuffer.wrap(content, 0, length);
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
    } catch (IOException e) {
      giveUp("it cannot be written", e);
    }
  }

  /** Without a recording the split is parsed again the next time: no reason to fail a build. */
  private void giveUp(String reason, @org.jspecify.annotations.Nullable IOException cause) {
    open = false;
    owner.gaveUp(this, channel, reason, cause);
  }
}
