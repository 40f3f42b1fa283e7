package dev.leat.flink.table;

import dev.leat.internal.engine.SourceScan.Part;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * A part of a table that one reader reads.
 *
 * @param version the version of the table that the part is of
 * @param file the position of the file in the version
 * @param start where the part begins in the file
 * @param length how many bytes it has
 * @param read how many of its rows have been given out
 */
record ScanSplit(String version, int file, long start, long length, long read)
    implements SourceSplit, Serializable {

  @Override
  public String splitId() {
    return version + "-" + file + "-" + start;
  }

  Part part() {
    return new Part(file, start, length);
  }

  ScanSplit after(long rows) {
    return new ScanSplit(version, file, start, length, rows);
  }

  private void write(DataOutputStream out) throws IOException {
    out.writeUTF(version);
    out.writeInt(file);
    out.writeLong(start);
    out.writeLong(length);
    out.writeLong(read);
  }

  private static ScanSplit read(DataInputStream in) throws IOException {
    return new ScanSplit(in.readUTF(), in.readInt(), in.readLong(), in.readLong(), in.readLong());
  }

  /** Writes a split into checkpoints and messages. */
  static final class Serializer implements SimpleVersionedSerializer<ScanSplit> {
    private static final int VERSION = 1;

    @Override
    public int getVersion() {
      return VERSION;
    }

    @Override
    public byte[] serialize(ScanSplit split) throws IOException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      split.write(new DataOutputStream(bytes));
      return bytes.toByteArray();
    }

    @Override
    public ScanSplit deserialize(int version, byte[] serialized) throws IOException {
      return read(new DataInputStream(new ByteArrayInputStream(serialized)));
    }
  }

  /**
   * What the enumerator knows at a checkpoint.
   *
   * @param found whether the parts of the table are known
   * @param remaining those that no reader has got
   */
  record Progress(boolean found, List<ScanSplit> remaining) {

    /** Writes it into checkpoints. */
    static final class Serializer implements SimpleVersionedSerializer<Progress> {
      private static final int VERSION = 1;

      @Override
      public int getVersion() {
        return VERSION;
      }

      @Override
      public byte[] serialize(Progress progress) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeBoolean(progress.found);
        out.writeInt(progress.remaining.size());
        for (ScanSplit split : progress.remaining) {
          split.write(out);
        }
        return bytes.toByteArray();
      }

      @Override
      public Progress deserialize(int version, byte[] serialized) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(serialized));
        boolean found = in.readBoolean();
        int count = in.readInt();
        List<ScanSplit> remaining = new ArrayList<>();
        for (int i = 0; i < count; i++) {
          remaining.add(read(in));
        }
        return new Progress(found, remaining);
      }
    }
  }
}
