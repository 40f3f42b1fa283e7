package dev.leat.internal.index;

import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a row stands in the index: as a string of bits that all rows have at the same places, and
 * behind it the bytes of the texts that are in no dictionary. The columns of the key are not there:
 * who finds a row has them.
 *
 * @param cells how each column is held, in their order
 * @param keyLength the field with the length of the key's bytes, which stand first behind the bits;
 *     empty where keys are packed
 * @param bits how many bits each row has
 */
record RowLayout(List<Cell> cells, Optional<Field> keyLength, int bits) {
  /** The most bits of a row. */
  static final int MAX_BITS = 1 << 20;

  /** How a column is held. */
  enum Storage {
    /** Not at all, since it is part of the key. */
    KEY,
    /** As a number, or as two. */
    NUMBER,
    /** As the position in a sorted dictionary. */
    CODE,
    /** As a length in the bits, and bytes behind them. */
    BYTES
  }

  /**
   * How one column is held.
   *
   * @param field the number, the position in the dictionary or the length; null for a key column
   * @param nanos the nanoseconds of a timestamp, else null
   */
  record Cell(Storage storage, @Nullable Field field, @Nullable Field nanos) {
    private static final Cell KEY = new Cell(Storage.KEY, null, null);

    Field requireField() {
      if (field == null) {
        throw new IllegalStateException("a key column has no field");
      }
      return field;
    }
  }

  /** Whether some bytes stand behind the bits. */
  boolean hasBytes() {
    return keyLength.isPresent()
        || cells.stream().anyMatch(cell -> cell.storage() == Storage.BYTES);
  }

  /** Chooses the layout for columns of which the statistics are known. */
  static RowLayout of(
      IndexDefinition definition,
      KeyCodec keys,
      ColumnStatistics[] statistics,
      ValueDictionary[] dictionaries) {
    int bit = 0;
    Optional<Field> keyLength = Optional.empty();
    if (!keys.packed()) {
      Field length =
          Field.of(0, keys.minLength(), keys.maxLength() - keys.minLength(), false, false);
      keyLength = Optional.of(length);
      bit = length.end();
    }
    List<Cell> cells = new ArrayList<>();
    Set<Integer> keyColumns = Set.copyOf(definition.keyColumns());
    for (int i = 0; i < definition.columns().size(); i++) {
      Cell cell =
          keyColumns.contains(i)
              ? Cell.KEY
              : cell(bit, definition.columns().get(i), statistics[i], dictionaries[i]);
      cells.add(cell);
      bit = Math.max(bit, cell.field() == null ? 0 : cell.field().end());
      bit = Math.max(bit, cell.nanos() == null ? 0 : cell.nanos().end());
    }
    return new RowLayout(List.copyOf(cells), keyLength, bit);
  }

  private static Cell cell(
      int bit, Column column, ColumnStatistics statistics, ValueDictionary dictionary) {
    boolean nullable = statistics.nullable();
    boolean allNull = statistics.values() == 0;
    switch (column.type().kind()) {
      case STRING, CHAR, VARCHAR, BINARY, ARRAY, MAP, STRUCT -> {
        if (allNull || dictionaryPays(statistics, dictionary)) {
          return new Cell(
              Storage.CODE, Field.of(bit, 0, dictionary.size() - 1, nullable, allNull), null);
        }
        return new Cell(
            Storage.BYTES, Field.of(bit, 0, statistics.maxLength(), nullable, false), null);
      }
      case TIMESTAMP -> {
        Field seconds = Field.of(bit, statistics.min(), statistics.range(), nullable, allNull);
        return new Cell(
            Storage.NUMBER,
            seconds,
            Field.of(seconds.end(), 0, statistics.maxNano(), false, false));
      }
      default -> {
        if (statistics.wide()) {
          return new Cell(
              Storage.BYTES, Field.of(bit, 0, statistics.maxLength(), nullable, false), null);
        }
        return new Cell(
            Storage.NUMBER,
            Field.of(bit, statistics.min(), statistics.range(), nullable, allNull),
            null);
      }
    }
  }

  /** A dictionary is taken where it is small, or makes the index smaller by a tenth. */
  private static boolean dictionaryPays(ColumnStatistics statistics, ValueDictionary dictionary) {
    if (dictionary.overflowed()) {
      return false;
    }
    long dictionaryBytes = 0;
    for (int code = 0; code < dictionary.size(); code++) {
      dictionaryBytes += 4 + dictionary.value(code).length;
    }
    long withDictionary = dictionaryBytes + statistics.values() * Bits.width(dictionary.size()) / 8;
    long without =
        statistics.totalLength() + statistics.values() * Bits.width(statistics.maxLength()) / 8;
    return dictionaryBytes <= 1 << 16 || withDictionary < without - without / 10;
  }

  /** The values of a dictionary in the order of their codes: ascending as unsigned bytes. */
  static byte[][] sortedValues(ValueDictionary dictionary) {
    byte[][] values = new byte[dictionary.size()][];
    for (int code = 0; code < values.length; code++) {
      values[code] = dictionary.value(code);
    }
    Arrays.sort(values, Arrays::compareUnsigned);
    return values;
  }

  void writeTo(ByteWriter out) {
    out.i32(bits).u8(keyLength.isPresent() ? 1 : 0);
    keyLength.ifPresent(field -> field.writeTo(out));
    out.i32(cells.size());
    for (Cell cell : cells) {
      out.u8(cell.storage().ordinal());
      if (cell.field() != null) {
        cell.field().writeTo(out);
        out.u8(cell.nanos() == null ? 0 : 1);
        if (cell.nanos() != null) {
          cell.nanos().writeTo(out);
        }
      }
    }
  }

  /** Reads a field and checks that it lies within the bits of a row. */
  private static Field field(ByteReader in, int bits) {
    Field field = Field.readFrom(in);
    if (field.bit() + field.width() > bits || field.nullBit() >= bits) {
      throw in.damaged("has a field that ends behind its row");
    }
    return field;
  }

  /** Checks that a field holds lengths, of which even a sum is far from what a long can hold. */
  private static Field lengthField(ByteReader in, Field field) {
    if (field.width() > 31 || field.base() < 0 || field.base() > Integer.MAX_VALUE) {
      throw in.damaged("has a length that cannot be");
    }
    return field;
  }

  /** Whether the columns of an index can stand in this way. */
  boolean fits(List<Column> columns, List<Integer> keyColumns, boolean packedKeys) {
    if (cells.size() != columns.size() || keyLength.isPresent() == packedKeys) {
      return false;
    }
    for (int i = 0; i < cells.size(); i++) {
      Cell cell = cells.get(i);
      ColumnType type = columns.get(i).type();
      boolean fits =
          switch (cell.storage()) {
            case KEY -> keyColumns.contains(i);
            case CODE -> KeyForm.isBytes(type);
            case BYTES -> KeyForm.isBytes(type) || type.kind() == ColumnType.Kind.DECIMAL;
            case NUMBER ->
                !KeyForm.isBytes(type)
                    && (cell.nanos() != null) == (type.kind() == ColumnType.Kind.TIMESTAMP);
          };
      if (!fits || (cell.storage() != Storage.KEY && keyColumns.contains(i))) {
        return false;
      }
    }
    return true;
  }

  static RowLayout readFrom(ByteReader in) {
    int bits = in.count(MAX_BITS);
    Optional<Field> keyLength =
        in.u8() == 1 ? Optional.of(lengthField(in, field(in, bits))) : Optional.empty();
    List<Cell> cells = new ArrayList<>();
    int count = in.count(in.left());
    for (int i = 0; i < count; i++) {
      int storage = in.u8();
      if (storage >= Storage.values().length) {
        throw in.damaged("has a column of a form that does not exist");
      }
      if (storage == Storage.KEY.ordinal()) {
        cells.add(Cell.KEY);
      } else {
        Field field = field(in, bits);
        if (storage == Storage.BYTES.ordinal()) {
          lengthField(in, field);
        }
        cells.add(
            new Cell(Storage.values()[storage], field, in.u8() == 1 ? field(in, bits) : null));
      }
    }
    return new RowLayout(List.copyOf(cells), keyLength, bits);
  }
}
