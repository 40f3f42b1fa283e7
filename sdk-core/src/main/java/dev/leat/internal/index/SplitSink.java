package dev.leat.internal.index;

import dev.leat.spi.RowSink;

/** Takes the rows of one split for an {@link IndexBuilder}. Confined to one thread; several sinks of one builder work at the same time. */
public final class SplitSink implements RowSink, AutoCloseable {
  SplitSink() {}

  @Override
  public void beginRow(long offset) {
    throw new UnsupportedOperationException("not written yet");
  }

  @Override
  public void setLong(int column, long value) {
    throw new UnsupportedOperationException("not written yet");
  }

  @Override
  public void setDouble(int column, double value) {
    throw new UnsupportedOperationException("not written yet");
  }

  @Override
  public void setBytes(int column, byte[] bytes, int offset, int length) {
    throw new UnsupportedOperationException("not written yet");
  }

  @Override
  public void setDecimal(int column, byte[] unscaled, int offset, int length) {
    throw new UnsupportedOperationException("not written yet");
  }

  @Override
  public void setTimestamp(int column, long epochSecond, int nano) {
    throw new UnsupportedOperationException("not written yet");
  }

  @Override
  public void unparsable(int column, byte[] raw, int offset, int length) {
    throw new UnsupportedOperationException("not written yet");
  }

  @Override
  public void endRow() {
    throw new UnsupportedOperationException("not written yet");
  }

  @Override
  public void reject(long line, int column, String reason) {
    throw new UnsupportedOperationException("not written yet");
  }

  /** Hands over what is left. A sink that is not closed makes {@link IndexBuilder#finish} fail. */
  @Override
  public void close() {
    throw new UnsupportedOperationException("not written yet");
  }
}
