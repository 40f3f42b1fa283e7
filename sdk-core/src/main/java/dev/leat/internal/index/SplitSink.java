package dev.leat.internal.index;

import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import dev.leat.spi.FileSplit;
import dev.leat.spi.RowSink;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Takes the rows of one split for an {@link IndexBuilder}. Confined to one thread; several sinks of
 * one builder work at the same time.
 *
 * <p>It appends each row to a chunk in an intermediate form (see {@link StagedRow}) and counts what
 * decides the layout of the index; full chunks go to the builder.
 */
public final class SplitSink implements RowSink, AutoCloseable {
  /** How many bad places each sink remembers; the builder keeps the first of all. */
  static final int MAX_SAMPLES = 10;

  private static final int CHUNK_BYTES = 256 << 10;
  private static final int MAX_ROW_BYTES = 1 << 28;
  private static final int ROWS_PER_REPORT = 1 << 16;
  private static final int MAX_SAMPLE_BYTES = 64;

  private final IndexBuilder builder;
  private final FileSplit split;
  private final int fileOrdinal;
  private final List<Column> columns;
  private final ColumnType.Kind[] kinds;
  private final boolean[] key;
  private final boolean[] required;
  private final int[] keyColumns;
  private final ValueDictionary[] dictionaries;

  private final KeyBuffer keyBuffer;
  private final KeyStatistics keyStatistics = new KeyStatistics();
  private final ColumnStatistics[] statistics;
  private final List<Piece> chunks = new ArrayList<>();
  private final List<Incident> rejected = new ArrayList<>();
  private final List<Incident> unparsable = new ArrayList<>();
  private byte[] chunk = new byte[CHUNK_BYTES];
  private int chunkLength;

  private final State[] states;
  private final long[] numbers;
  private final int[] nanos;
  private final int[] codes;
  private final int[] offsets;
  private final int[] lengths;
  private byte[] scratch = new byte[1024];
  private int scratchLength;

  private long rowOffset;
  private int badCells;
  private int badKeyColumn = -1;
  private long rows;
  private long rowsReported;
  private long bytesReported;
  private long keptRows;
  private long nullKeyRows;
  private long rejectedRows;
  private long unparsableCells;
  private long rawBytes;
  private boolean closed;

  /** What a cell of the current row has. */
  private enum State {
    NULL,
    NUMBER,
    CODE,
    BYTES
  }

  SplitSink(
      IndexBuilder builder,
      FileSplit split,
      int fileOrdinal,
      IndexDefinition definition,
      KeyForm keyForm,
      ValueDictionary[] dictionaries) {
    this.builder = builder;
    this.split = split;
    this.fileOrdinal = fileOrdinal;
    this.columns = definition.columns();
    this.dictionaries = dictionaries;
    int count = columns.size();
    this.kinds = new ColumnType.Kind[count];
    this.key = new boolean[count];
    this.required = new boolean[count];
    this.keyColumns = definition.keyColumns().stream().mapToInt(Integer::intValue).toArray();
    this.statistics = new ColumnStatistics[count];
    for (int i = 0; i < count; i++) {
      kinds[i] = columns.get(i).type().kind();
      required[i] = definition.requiredColumns().contains(i);
      statistics[i] = new ColumnStatistics();
    }
    for (int column : keyColumns) {
      key[column] = true;
    }
    this.keyBuffer = new KeyBuffer(keyForm);
    this.states = new State[count];
    this.numbers = new long[count];
    this.nanos = new int[count];
    this.codes = new int[count];
    this.offsets = new int[count];
    this.lengths = new int[count];
  }

  @Override
  public void beginRow(long offset) {
    rowOffset = offset;
    scratchLength = 0;
    badCells = 0;
    badKeyColumn = -1;
    Arrays.fill(states, State.NULL);
  }

  @Override
  public void setLong(int column, long value) {
    states[column] = State.NUMBER;
    numbers[column] = value;
  }

  @Override
  public void setDouble(int column, double value) {
    states[column] = State.NUMBER;
    numbers[column] =
        kinds[column] == ColumnType.Kind.FLOAT
            ? Float.floatToIntBits((float) value)
            : Double.doubleToLongBits(value);
  }

  @Override
  public void setBytes(int column, byte[] bytes, int offset, int length) {
    lengths[column] = length;
    if (!key[column]) {
      int code = dictionaries[column].code(bytes, offset, length);
      if (code != ValueDictionary.NONE) {
        states[column] = State.CODE;
        codes[column] = code;
        return;
      }
    }
    states[column] = State.BYTES;
    copy(column, bytes, offset, length);
  }

  @Override
  public void setDecimal(int column, byte[] unscaled, int offset, int length) {
    int significant = Numbers.significantLength(unscaled, offset, length);
    if (significant <= 8 && !key[column]) {
      states[column] = State.NUMBER;
      numbers[column] = Numbers.fromBigEndian(unscaled, offset + length - significant, significant);
    } else {
      states[column] = State.BYTES;
      copy(column, unscaled, offset + length - significant, significant);
    }
    lengths[column] = significant;
  }

  @Override
  public void setTimestamp(int column, long epochSecond, int nano) {
    states[column] = State.NUMBER;
    numbers[column] = epochSecond;
    nanos[column] = nano;
  }

  @Override
  public void unparsable(int column, byte[] raw, int offset, int length) {
    states[column] = State.NULL;
    badCells++;
    if (key[column]) {
      badKeyColumn = column;
    }
    if (unparsable.size() < MAX_SAMPLES) {
      unparsable.add(
          new Incident(
              fileOrdinal,
              rowOffset,
              sample(
                  -1,
                  column,
                  "'" + shown(raw, offset, length) + "' is no " + columns.get(column).type())));
    }
  }

  private static String shown(byte[] raw, int offset, int length) {
    String text =
        new String(raw, offset, Math.min(length, MAX_SAMPLE_BYTES), StandardCharsets.UTF_8);
    return length > MAX_SAMPLE_BYTES ? text + "…" : text;
  }

  @Override
  public void endRow() {
    unparsableCells += badCells;
    if (badKeyColumn >= 0) {
      reject(-1, badKeyColumn, "the key cannot be read as " + columns.get(badKeyColumn).type());
      return;
    }
    for (int column : keyColumns) {
      if (states[column] == State.NULL) {
        nullKeyRows++;
        ended();
        return;
      }
    }
    for (int i = 0; i < required.length; i++) {
      if (required[i] && states[i] == State.NULL) {
        reject(-1, i, "the cell is NULL, which the target's primitive component cannot hold");
        return;
      }
    }
    encodeKey();
    append();
    keptRows++;
    ended();
  }

  @Override
  public void reject(long line, int column, String reason) {
    rejectedRows++;
    Incident incident = new Incident(fileOrdinal, rowOffset, sample(line, column, reason));
    if (rejected.size() < MAX_SAMPLES) {
      rejected.add(incident);
    }
    builder.rejected(incident);
    ended();
  }

  private IndexManifest.Sample sample(long line, int column, String reason) {
    return new IndexManifest.Sample(
        split.file().uri().toString(),
        rowOffset,
        line,
        column < 0 ? "" : columns.get(column).name(),
        reason);
  }

  private void ended() {
    rows++;
    if (rows - rowsReported == ROWS_PER_REPORT) {
      report(Math.max(bytesReported, Math.min(split.length(), rowOffset - split.start())));
    }
  }

  private void report(long bytes) {
    builder.progress(rows - rowsReported, bytes - bytesReported);
    rowsReported = rows;
    bytesReported = bytes;
  }

  private void encodeKey() {
    keyBuffer.clear();
    for (int i = 0; i < keyColumns.length; i++) {
      int column = keyColumns[i];
      switch (kinds[column]) {
        case STRING, CHAR, VARCHAR, BINARY ->
            keyBuffer.setBytes(i, scratch, offsets[column], lengths[column]);
        case DECIMAL -> keyBuffer.setDecimal(i, scratch, offsets[column], lengths[column]);
        case TIMESTAMP -> keyBuffer.setTimestamp(i, numbers[column], nanos[column]);
        default -> keyBuffer.setNumber(i, numbers[column]);
      }
    }
    keyStatistics.add(keyBuffer.bytes(), 0, keyBuffer.length());
  }

  private void append() {
    long bound = 16L + keyBuffer.length() + 16L * states.length + scratchLength;
    if (bound > MAX_ROW_BYTES) {
      throw builder.rowTooLarge(
          sample(-1, -1, "the row has " + scratchLength + " bytes"), MAX_ROW_BYTES);
    }
    if (chunk.length - Bits.SLACK - chunkLength < bound) {
      flush();
      if (chunk.length - Bits.SLACK < bound) {
        chunk = new byte[(int) bound + Bits.SLACK];
      }
    }
    int at = StagedRow.putCount(chunk, chunkLength, keyBuffer.length());
    System.arraycopy(keyBuffer.bytes(), 0, chunk, at, keyBuffer.length());
    at += keyBuffer.length();
    rawBytes += keyBuffer.length();
    for (int i = 0; i < states.length; i++) {
      if (!key[i]) {
        at = appendCell(i, at);
      }
    }
    chunkLength = at;
  }

  private int appendCell(int column, int at) {
    ColumnStatistics cellStatistics = statistics[column];
    switch (states[column]) {
      case NULL -> {
        cellStatistics.addNull();
        return StagedRow.putNull(chunk, at);
      }
      case CODE -> {
        cellStatistics.addBytes(lengths[column]);
        rawBytes += lengths[column];
        return StagedRow.putCode(chunk, at, codes[column]);
      }
      case BYTES -> {
        cellStatistics.addBytes(lengths[column]);
        rawBytes += lengths[column];
        if (kinds[column] == ColumnType.Kind.DECIMAL) {
          cellStatistics.addWide();
          return StagedRow.putWide(chunk, at, scratch, offsets[column], lengths[column]);
        }
        return StagedRow.putBytes(chunk, at, scratch, offsets[column], lengths[column]);
      }
      case NUMBER -> {
        rawBytes += 8;
        if (kinds[column] == ColumnType.Kind.TIMESTAMP) {
          cellStatistics.addTimestamp(numbers[column], nanos[column]);
          return StagedRow.putNanos(
              chunk, StagedRow.putNumber(chunk, at, numbers[column]), nanos[column]);
        }
        cellStatistics.addNumber(numbers[column]);
        if (kinds[column] == ColumnType.Kind.DECIMAL) {
          cellStatistics.addDecimalLength(lengths[column]);
        }
        return StagedRow.putNumber(chunk, at, numbers[column]);
      }
    }
    throw new IllegalStateException("a cell is " + states[column]);
  }

  private void copy(int column, byte[] bytes, int offset, int length) {
    if (scratch.length - scratchLength < length) {
      if (length > MAX_ROW_BYTES - scratchLength) {
        throw builder.rowTooLarge(
            sample(-1, column, "the cell has " + length + " bytes"), MAX_ROW_BYTES);
      }
      scratch = Arrays.copyOf(scratch, Math.max(scratch.length * 2, scratchLength + length));
    }
    System.arraycopy(bytes, offset, scratch, scratchLength, length);
    offsets[column] = scratchLength;
    lengths[column] = length;
    scratchLength += length;
  }

  private void flush() {
    if (chunkLength > 0) {
      chunks.add(builder.keep(chunk, chunkLength));
      chunkLength = 0;
    }
    if (chunk.length > CHUNK_BYTES) {
      chunk = new byte[CHUNK_BYTES];
    }
    builder.checkRunning();
  }

  /** Hands over what is left. A sink that is not closed makes {@link IndexBuilder#finish} fail. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (!builder.cancelled()) {
      flush();
      report(split.length());
    }
    chunk = new byte[0];
  }

  boolean closed() {
    return closed;
  }

  FileSplit split() {
    return split;
  }

  int fileOrdinal() {
    return fileOrdinal;
  }

  List<Piece> chunks() {
    return chunks;
  }

  KeyStatistics keyStatistics() {
    return keyStatistics;
  }

  ColumnStatistics statistics(int column) {
    return statistics[column];
  }

  List<Incident> rejectedIncidents() {
    return rejected;
  }

  List<Incident> unparsableIncidents() {
    return unparsable;
  }

  long rows() {
    return rows;
  }

  long keptRows() {
    return keptRows;
  }

  long nullKeyRows() {
    return nullKeyRows;
  }

  long rejectedRows() {
    return rejectedRows;
  }

  long unparsableCells() {
    return unparsableCells;
  }

  /** The bytes of all cells of the rows that are kept, as if there were no dictionaries. */
  long rawBytes() {
    return rawBytes;
  }

  /**
   * A bad place in the source, with what puts it in order.
   *
   * @param fileOrdinal the position of the file
   * @param offset the offset of the row
   */
  record Incident(int fileOrdinal, long offset, IndexManifest.Sample sample) {}
}
