package dev.leat.internal.index;

import dev.leat.internal.index.StagedSplit.Incident;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads what a {@link SplitRecording} wrote. All that it gives is covered by a checksum. Belongs to
 * one thread.
 */
final class SplitPlayback implements AutoCloseable {
  private final SeekableByteChannel channel;
  private final String name;
  private final long end;
  private final SplitCounts counts;
  private final List<Incident> rejected;
  private final List<Incident> unparsable;
  private final int[][] codes;
  private final byte[][][] values;
  private byte[] chunk = new byte[0];
  private int chunkLength;

  /**
   * Opens a recording.
   *
   * @param key that it must have been made for
   * @throws dev.leat.LeatException {@code INDEX_DAMAGED} if it is not whole
   */
  SplitPlayback(SeekableByteChannel channel, String name, String key, int columns)
      throws IOException {
    this.channel = channel;
    this.name = name;
    ByteReader header = reader(0, SplitRecording.HEADER_BYTES);
    long size = channel.size();
    if (!Arrays.equals(header.raw(8), SplitRecording.MAGIC)
        || header.i32() != SplitRecording.VERSION
        || size < SplitRecording.HEADER_BYTES + SplitRecording.TRAILER_BYTES) {
      throw header.damaged("is no recording of this version");
    }
    ByteReader trailer = reader(size - SplitRecording.TRAILER_BYTES, SplitRecording.TRAILER_BYTES);
    int length =
        trailer.count(
            (int)
                Math.min(
                    Integer.MAX_VALUE - 64,
                    size - SplitRecording.HEADER_BYTES - SplitRecording.TRAILER_BYTES));
    int crc = trailer.i32();
    end = size - SplitRecording.TRAILER_BYTES - length;
    byte[] footer = bytes(end, length, 0);
    if (!Arrays.equals(trailer.raw(8), SplitRecording.MAGIC)
        || SplitRecording.crc(footer, length) != crc) {
      throw trailer.damaged("has a wrong checksum");
    }
    ByteReader in = new ByteReader(footer, name);
    if (!text(in).equals(key)) {
      throw in.damaged("is of another split");
    }
    counts = SplitCounts.readFrom(in);
    rejected = incidents(in);
    unparsable = incidents(in);
    if (in.i32() != columns) {
      throw in.damaged("has other columns");
    }
    codes = new int[columns][];
    values = new byte[columns][][];
    for (int column = 0; column < columns; column++) {
      int count = in.count(ValueDictionary.LIMIT);
      codes[column] = new int[count];
      values[column] = new byte[count][];
      for (int i = 0; i < count; i++) {
        codes[column][i] = in.count(ValueDictionary.LIMIT);
        values[column][i] = in.raw(in.count(ValueDictionary.MAX_VALUE_LENGTH));
      }
    }
    channel.position(SplitRecording.HEADER_BYTES);
  }

  private static List<Incident> incidents(ByteReader in) {
    List<Incident> incidents = new ArrayList<>();
    for (int left = in.count(SplitSink.MAX_SAMPLES); left > 0; left--) {
      incidents.add(new Incident(in.i64(), in.i64(), in.i64(), text(in), text(in)));
    }
    return incidents;
  }

  private static String text(ByteReader in) {
    return new String(in.raw(in.count(in.left())), StandardCharsets.UTF_8);
  }

  SplitCounts counts() {
    return counts;
  }

  List<Incident> rejected() {
    return rejected;
  }

  List<Incident> unparsable() {
    return unparsable;
  }

  /** The numbers of values that cells of the column have, ascending. */
  int[] codes(int column) {
    return codes[column];
  }

  /** The values of these numbers. */
  byte[][] values(int column) {
    return values[column];
  }

  /** Goes to the next chunk of staged rows. */
  boolean next() throws IOException {
    ByteReader head = reader(channel.position(), 4);
    int length = head.count((int) Math.min(Integer.MAX_VALUE - 64, end - channel.position()));
    if (length == 0) {
      if (channel.position() != end) {
        throw head.damaged("ends too early");
      }
      return false;
    }
    int crc = reader(channel.position(), 4).i32();
    chunk = bytes(channel.position(), length, Bits.SLACK);
    chunkLength = length;
    if (SplitRecording.crc(chunk, length) != crc) {
      throw head.damaged("has a wrong checksum");
    }
    return true;
  }

  /** The staged rows, with {@link Bits#SLACK} bytes behind them. */
  byte[] chunk() {
    return chunk;
  }

  int chunkLength() {
    return chunkLength;
  }

  private ByteReader reader(long position, int length) throws IOException {
    return new ByteReader(bytes(position, length, 0), name);
  }

  private byte[] bytes(long position, int length, int slack) throws IOException {
    byte[] bytes = new byte[length + slack];
    ByteBuffer buffer = ByteBuffer.wrap(bytes, 0, length);
    channel.position(Math.max(0, position));
    while (buffer.hasRemaining()) {
      if (channel.read(buffer) < 0) {
        throw new EOFException(name + " ends too early");
      }
    }
    return bytes;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
