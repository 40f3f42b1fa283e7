package dev.leat.internal.index;

import dev.leat.LeatException;
import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import dev.leat.internal.index.StagedSplit.Incident;
import dev.leat.spi.FileSplit;
import dev.leat.spi.RowSink;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

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
  private final OptionalLong firstLine;
  private final @Nullable SplitRecording recording;
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

  private final byte[] states;
  private final long[] numbers;
  private final int[] nanos;
  private final int[] codes;
  private final int[] offsets;
  private final int[] lengths;

  /** Null for a column whose dictionary has given up, and where there is no need for one. */
  private final @Nullable RecentCodes[] recentCodes;

  private byte[] scratch = new byte[1024];
  private int scratchLength;

  /** Whether the key is one column of text. */
  private final boolean textKey;

  private byte[] keyBytes = scratch;
  private int keyOffset;
  private int keyLength;

  private long rowOffset;
  private int badCells;
  private int badKeyColumn = -1;
  private long rows;
  private long rowsReported;
  private long bytesReported;
  private long keptRows;
  private long nullKeyRows;
  private long filteredRows;
  private long rejectedRows;
  private long unparsableCells;
  private long rawBytes;
  private boolean closed;

  // What a cell of the current row has. Not an enum: these are written for each cell.
  private static final byte NULL = 0;
  private static final byte NUMBER = 1;
  private static final byte CODE = 2;
  private static final byte BYTES = 3;

  /**
   * Bytes whose value is in no dictionary yet: it is added once it is known that the row is kept.
   */
  private static final byte NEW_VALUE = 4;

  SplitSink(
      IndexBuilder builder,
      FileSplit split,
      int fileOrdinal,
      OptionalLong firstLine,
      @Nullable SplitRecording recording,
      IndexDefinition definition,
      KeyForm keyForm,
      ValueDictionary[] dictionaries) {
    this.builder = builder;
    this.split = split;
    this.fileOrdinal = fileOrdinal;
    this.firstLine = firstLine;
    this.recording = recording;
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
    this.textKey = keyColumns.length == 1 && KeyForm.width(columns.get(keyColumns[0]).type()) == 0;
    this.states = new byte[count];
    this.numbers = new long[count];
    this.nanos = new int[count];
    this.codes = new int[count];
    this.offsets = new int[count];
    this.lengths = new int[count];
    this.recentCodes = new RecentCodes[count];
    for (int i = 0; i < count; i++) {
      if (!key[i] && KeyForm.isBytes(columns.get(i).type())) {
        recentCodes[i] = new RecentCodes();
      }
    }
  }

  @Override
  public void beginRow(long offset) {
    rowOffset = offset;
    scratchLength = 0;
    badCells = 0;
    badKeyColumn = -1;
    Arrays.fill(states, NULL);
  }

  @Override
  public void setLong(int column, long value) {
    states[column] = NUMBER;
    numbers[column] = value;
  }

  @Override
  public void setDouble(int column, double value) {
    states[column] = NUMBER;
    if (key[column]) {
      numbers[column] = KeyForm.numberOf(kinds[column], value);
      return;
    }
    numbers[column] =
        kinds[column] == ColumnType.Kind.FLOAT
            ? Float.floatToIntBits((float) value)
            : Double.doubleToLongBits(value);
  }

  @Override
  public void setBytes(int column, byte[] bytes, int offset, int length) {
    lengths[column] = length;
    states[column] = BYTES;
    RecentCodes recent = recentCodes[column];
    if (recent != null) {
      int code = recent.find(bytes, offset, length);
      if (code == ValueDictionary.NONE) {
        code = dictionaries[column].find(bytes, offset, length);
        if (code == ValueDictionary.NONE) {
          states[column] = NEW_VALUE;
          copy(column, bytes, offset, length);
          return;
        }
        recent.remember(code);
      }
      states[column] = CODE;
      codes[column] = code;
      return;
    }
    copy(column, bytes, offset, length);
  }

  private void addNewValue(int column) {
    int code = dictionaries[column].code(scratch, offsets[column], lengths[column]);
    if (code == ValueDictionary.NONE) {
      // Too many values; that does not change any more.
      recentCodes[column] = null;
      states[column] = BYTES;
    } else {
      states[column] = CODE;
      codes[column] = code;
    }
  }

  @Override
  public void setDecimal(int column, byte[] unscaled, int offset, int length) {
    int significant = Numbers.significantLength(unscaled, offset, length);
    if (significant <= 8 && !key[column]) {
      states[column] = NUMBER;
      numbers[column] = Numbers.fromBigEndian(unscaled, offset + length - significant, significant);
    } else {
      states[column] = BYTES;
      copy(column, unscaled, offset + length - significant, significant);
    }
    lengths[column] = significant;
  }

  @Override
  public void setTimestamp(int column, long epochSecond, int nano) {
    states[column] = NUMBER;
    numbers[column] = epochSecond;
    nanos[column] = nano;
  }

  @Override
  public void unparsable(int column, byte[] raw, int offset, int length) {
    states[column] = NULL;
    badCells++;
    if (key[column]) {
      badKeyColumn = column;
    }
    if (unparsable.size() < MAX_SAMPLES) {
      unparsable.add(
          incident(
              -1,
              column,
              "'" + shown(raw, offset, length) + "' is no " + columns.get(column).type()));
    }
  }

  /**
   * Counts a row that the filter leaves out, and the cells of it that were said to be unparsable.
   *
   * @param offset where the row begins
   */
  public void filtered(long offset) {
    rowOffset = offset;
    unparsableCells += badCells;
    badCells = 0;
    filteredRows++;
    ended();
  }

  /**
   * Says that a cell of a column that only the filter reads cannot be read, so that it is NULL for
   * the filter. Belongs to the row that has begun.
   */
  public void unparsableForFilter(Column column, byte[] raw) {
    badCells++;
    if (unparsable.size() < MAX_SAMPLES) {
      unparsable.add(
          new Incident(
              rowOffset,
              rows,
              -1,
              column.name(),
              "'" + shown(raw, 0, raw.length) + "' is no " + column.type()));
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
      if (states[column] == NULL) {
        nullKeyRows++;
        ended();
        return;
      }
    }
    for (int i = 0; i < required.length; i++) {
      if (required[i] && states[i] == NULL) {
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
    Incident incident = incident(line, column, reason);
    if (rejected.size() < MAX_SAMPLES) {
      rejected.add(incident);
    }
    builder.rejected(1, () -> sample(incident));
    ended();
  }

  private Incident incident(long line, int column, String reason) {
    return new Incident(
        rowOffset, rows, line, column < 0 ? "" : columns.get(column).name(), reason);
  }

  /** An incident with the number of its line where that is known before all splits are read. */
  private IndexManifest.Sample sample(Incident incident) {
    long line =
        incident.line() < 0 && split.start() == 0 && firstLine.isPresent()
            ? firstLine.getAsLong() + incident.row()
            : incident.line();
    return new IndexManifest.Sample(
        split.file().uri().toString(),
        incident.offset(),
        line,
        incident.column(),
        incident.reason());
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
    int only = keyColumns[0];
    if (textKey && lengths[only] <= KeyForm.MAX_LENGTH) {
      // The bytes of the key are those of the cell.
      keyBytes = scratch;
      keyOffset = offsets[only];
      keyLength = lengths[only];
      keyStatistics.add(keyBytes, keyOffset, keyLength);
      return;
    }
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
    keyBytes = keyBuffer.bytes();
    keyOffset = 0;
    keyLength = keyBuffer.length();
    keyStatistics.add(keyBytes, keyOffset, keyLength);
  }

  private void append() {
    long bound = 16L + keyLength + 16L * states.length + scratchLength;
    if (bound > MAX_ROW_BYTES) {
      throw builder.rowTooLarge(
          sample(incident(-1, -1, "the row has " + scratchLength + " bytes")), MAX_ROW_BYTES);
    }
    if (chunk.length - Bits.SLACK - chunkLength < bound) {
      flush();
      if (chunk.length - Bits.SLACK < bound) {
        chunk = new byte[(int) bound + Bits.SLACK];
      }
    }
    int at = StagedRow.putCount(chunk, chunkLength, keyLength);
    System.arraycopy(keyBytes, keyOffset, chunk, at, keyLength);
    at += keyLength;
    rawBytes += keyLength;
    for (int i = 0; i < states.length; i++) {
      if (!key[i]) {
        at = appendCell(i, at);
      }
    }
    chunkLength = at;
  }

  private int appendCell(int column, int at) {
    ColumnStatistics cellStatistics = statistics[column];
    if (states[column] == NEW_VALUE) {
      addNewValue(column);
    }
    switch (states[column]) {
      case NULL -> {
        cellStatistics.addNull();
        return StagedRow.putNull(chunk, at);
      }
      case CODE -> {
        cellStatistics.addBytes(lengths[column]);
        rawBytes += lengths[column];
        if (recording != null) {
          recording.used(column, codes[column]);
        }
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
            sample(incident(-1, column, "the cell has " + length + " bytes")), MAX_ROW_BYTES);
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
      if (recording != null) {
        recording.chunk(chunk, chunkLength);
      }
      Piece piece = builder.keep(chunk, chunkLength);
      chunks.add(piece);
      chunkLength = 0;
      if (piece.bytes() == chunk || chunk.length > CHUNK_BYTES) {
        chunk = new byte[CHUNK_BYTES];
      }
    }
    builder.checkRunning();
  }

  /**
   * Takes the rows of the split from a recording instead of a parser.
   *
   * @throws LeatException {@code INDEX_DAMAGED} if it is damaged; the sink is of no use then
   */
  void replay(SplitPlayback playback) throws IOException {
    int[][] newCodes = new int[columns.size()][];
    for (int column = 0; column < newCodes.length; column++) {
      byte[][] values = playback.values(column);
      newCodes[column] = new int[values.length];
      for (int i = 0; i < values.length; i++) {
        newCodes[column][i] = dictionaries[column].code(values[i], 0, values[i].length);
      }
    }
    while (playback.next()) {
      StagedRow row = new StagedRow(playback.chunk());
      while (row.position() < playback.chunkLength()) {
        scratchLength = 0;
        Arrays.fill(states, NULL);
        row.run();
        keyBytes = row.bytes();
        keyOffset = row.offset();
        keyLength = row.length();
        keyStatistics.add(keyBytes, keyOffset, keyLength);
        for (int column = 0; column < states.length; column++) {
          if (key[column]) {
            continue;
          }
          if (KeyForm.isBytes(columns.get(column).type())) {
            replayText(row, column, playback, newCodes[column]);
          } else {
            replayNumber(row, column);
          }
        }
        append();
        keptRows++;
      }
    }
    SplitCounts counts = playback.counts();
    rows = counts.rows();
    nullKeyRows = counts.nullKeyRows();
    filteredRows = counts.filteredRows();
    rejectedRows = counts.rejectedRows();
    unparsableCells = counts.unparsableCells();
    rejected.addAll(playback.rejected());
    unparsable.addAll(playback.unparsable());
    if (rejectedRows > 0) {
      builder.rejected(rejectedRows, () -> sample(rejected.get(0)));
    }
  }

  private void replayText(StagedRow row, int column, SplitPlayback playback, int[] newCodes) {
    int count = row.count();
    if (count == 1) {
      row.run();
      setBytes(column, row.bytes(), row.offset(), row.length());
    } else if (count > 1) {
      int at = Arrays.binarySearch(playback.codes(column), count - 2);
      byte[] value = playback.values(column)[at];
      if (newCodes[at] == ValueDictionary.NONE) {
        setBytes(column, value, 0, value.length);
      } else {
        states[column] = CODE;
        codes[column] = newCodes[at];
        lengths[column] = value.length;
      }
    }
  }

  private void replayNumber(StagedRow row, int column) {
    int count = row.numberCount();
    if (StagedRow.wide(count)) {
      row.run();
      states[column] = BYTES;
      copy(column, row.bytes(), row.offset(), row.length());
    } else if (count > 0) {
      states[column] = NUMBER;
      numbers[column] = row.number(count);
      if (kinds[column] == ColumnType.Kind.TIMESTAMP) {
        nanos[column] = row.nanos();
      } else if (kinds[column] == ColumnType.Kind.DECIMAL) {
        lengths[column] = Numbers.significantLength(numbers[column]);
      }
    }
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
      if (recording != null) {
        recording.finish(
            new SplitCounts(rows, nullKeyRows, filteredRows, rejectedRows, unparsableCells),
            rejected,
            unparsable);
      }
    } else if (recording != null) {
      recording.abandon();
    }
    builder.closed(
        this,
        new StagedSplit(
            split,
            fileOrdinal,
            List.copyOf(chunks),
            rows,
            firstLine,
            List.copyOf(rejected),
            List.copyOf(unparsable)));
  }

  /** Adds what was counted. */
  void addTo(BuildCounts counts) {
    counts.rows += rows;
    counts.keptRows += keptRows;
    counts.nullKeyRows += nullKeyRows;
    counts.filteredRows += filteredRows;
    counts.rejectedRows += rejectedRows;
    counts.unparsableCells += unparsableCells;
    counts.rawBytes += rawBytes;
    counts.keys.merge(keyStatistics);
    for (int i = 0; i < statistics.length; i++) {
      counts.columns[i].merge(statistics[i]);
    }
  }

  FileSplit split() {
    return split;
  }

  /** What is staged so far. */
  List<Piece> chunks() {
    return chunks;
  }
}
