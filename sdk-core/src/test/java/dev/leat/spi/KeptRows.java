package dev.leat.spi;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** Keeps rows as text, and reads a file that is an array of bytes. */
public final class KeptRows implements RowSink {
  public final List<String> rows = new ArrayList<>();
  public final TreeMap<Integer, String> row = new TreeMap<>();
  private long offset = -1;

  public static Blob blob(byte[] content) {
    return new Blob(URI.create("mem:///part-0"), content.length, Optional.empty(), Instant.EPOCH);
  }

  public static BlobReader reader(byte[] content) {
    return new BlobReader() {
      @Override
      public void readFully(long position, byte[] target, int from, int length) {
        System.arraycopy(content, (int) position, target, from, length);
      }

      @Override
      public InputStream stream(long position) {
        return new ByteArrayInputStream(content, (int) position, content.length - (int) position);
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public void beginRow(long rowOffset) {
    if (rowOffset <= offset) {
      throw new AssertionError(rowOffset + " does not rise above " + offset);
    }
    offset = rowOffset;
    row.clear();
  }

  @Override
  public void setLong(int column, long value) {
    row.put(column, Long.toString(value));
  }

  @Override
  public void setDouble(int column, double value) {
    row.put(column, Double.toString(value));
  }

  @Override
  public void setBytes(int column, byte[] bytes, int from, int length) {
    row.put(column, new String(bytes, from, length, StandardCharsets.UTF_8));
  }

  @Override
  public void setDecimal(int column, byte[] unscaled, int from, int length) {
    row.put(column, new BigInteger(unscaled, from, length).toString());
  }

  @Override
  public void setTimestamp(int column, long epochSecond, int nano) {
    row.put(column, epochSecond + "." + nano);
  }

  @Override
  public void unparsable(int column, byte[] raw, int from, int length) {
    row.put(column, "?");
  }

  @Override
  public void endRow() {
    rows.add(row.values().toString());
  }

  @Override
  public void reject(long line, int column, String reason) {
    rows.add("rejected: " + reason);
  }
}
