package dev.leat.internal.index;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/** Writes the file of one shard, segment by segment. Belongs to one thread. */
final class ShardWriter implements AutoCloseable {
  private final WritableByteChannel channel;
  private final int columnsCrc;
  private final int ordinal;
  private final List<Segment> segments = new ArrayList<>();
  private final List<int[]> blockCrcs = new ArrayList<>();
  private final List<Integer> directoryCrcs = new ArrayList<>();
  private final CRC32C crc = new CRC32C();
  private long position;

  ShardWriter(WritableByteChannel channel, int columnsCrc, int ordinal) throws IOException {
    this.channel = channel;
    this.columnsCrc = columnsCrc;
    this.ordinal = ordinal;
    write(ShardFile.header(ordinal), ShardFile.HEADER_BYTES);
  }

  void add(SegmentBuilder.Image image) throws IOException {
    int padding = (int) (-position & (ShardFile.ALIGNMENT - 1));
    if (image.shape().length() >= ShardFile.ALIGNMENT) {
      write(new byte[padding], padding);
    } else {
      int small = (int) (-position & 63);
      write(new byte[small], small);
    }
    segments.add(image.shape().at(position));
    blockCrcs.add(image.crcs());
    directoryCrcs.add(image.directoryCrc());
    write(image.bytes(), Math.toIntExact(image.shape().length()));
  }

  /** Writes the footer. */
  IndexManifest.Shard finish() throws IOException {
    ShardFile frame =
        new ShardFile(
            columnsCrc,
            ordinal,
            segments,
            blockCrcs,
            directoryCrcs.stream().mapToInt(Integer::intValue).toArray());
    byte[] footer = frame.footer();
    write(footer, footer.length);
    int footerCrc = (int) Bits.INT.get(footer, footer.length - ShardFile.TRAILER_BYTES + 4);
    return new IndexManifest.Shard(
        ShardFile.name(ordinal), position, (int) crc.getValue(), footerCrc);
  }

  private void write(byte[] bytes, int length) throws IOException {
    crc.update(bytes, 0, length);
    ByteBuffer buffer = ByteBuffer.wrap(bytes, 0, length);
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
    position += length;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
