package dev.leat.testkit.flink;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * What is left to read of a partition.
 *
 * @param partition the partition
 * @param offset the offset of the next record
 * @param stop the offset before which reading ends, or {@link #NEVER}
 */
record PartitionSplit(int partition, long offset, long stop) implements SourceSplit {
  static final long NEVER = Long.MAX_VALUE;

  @Override
  public String splitId() {
    return Integer.toString(partition);
  }

  PartitionSplit from(long newOffset) {
    return new PartitionSplit(partition, newOffset, stop);
  }

  private void write(DataOutputStream output) throws IOException {
    output.writeInt(partition);
    output.writeLong(offset);
    output.writeLong(stop);
  }

  private static PartitionSplit read(DataInputStream input) throws IOException {
    return new PartitionSplit(input.readInt(), input.readLong(), input.readLong());
  }

  /** Of one split. */
  static final class Serializer implements SimpleVersionedSerializer<PartitionSplit> {
    private final ListSerializer lists = new ListSerializer();

    @Override
    public int getVersion() {
      return lists.getVersion();
    }

    @Override
    public byte[] serialize(PartitionSplit split) throws IOException {
      return lists.serialize(List.of(split));
    }

    @Override
    public PartitionSplit deserialize(int version, byte[] serialized) throws IOException {
      return lists.deserialize(version, serialized).get(0);
    }
  }

  /** Of the splits that no reader has. */
  static final class ListSerializer implements SimpleVersionedSerializer<List<PartitionSplit>> {
    private static final int VERSION = 1;

    @Override
    public int getVersion() {
      return VERSION;
    }

    @Override
    public byte[] serialize(List<PartitionSplit> splits) throws IOException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (DataOutputStream output = new DataOutputStream(bytes)) {
        output.writeInt(splits.size());
        for (PartitionSplit split : splits) {
          split.write(output);
        }
      }
      return bytes.toByteArray();
    }

    @Override
    public List<PartitionSplit> deserialize(int version, byte[] serialized) throws IOException {
      if (version != VERSION) {
        throw new IOException("splits of version " + version + " cannot be read, only " + VERSION);
      }
      try (DataInputStream input = new DataInputStream(new ByteArrayInputStream(serialized))) {
        int count = input.readInt();
        List<PartitionSplit> splits = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
          splits.add(read(input));
        }
        return splits;
      }
    }
  }
}
