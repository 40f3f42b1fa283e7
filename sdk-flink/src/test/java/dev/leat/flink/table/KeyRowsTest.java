package dev.leat.flink.table;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leat.internal.index.KeyCells;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.memory.MemorySegment;
import org.apache.flink.core.memory.MemorySegmentFactory;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.binary.BinaryStringData;
import org.apache.flink.table.types.logical.CharType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.VarCharType;
import org.junit.jupiter.api.Test;

class KeyRowsTest {
  private static final LogicalType STRING = VarCharType.STRING_TYPE;

  @Test
  void aTextIsReadWhereverFlinkKeepsItsBytes() {
    byte[] bytes = "…cust-00001234…".getBytes(UTF_8);
    int offset = "…".getBytes(UTF_8).length;
    int length = "cust-00001234".length();

    MemorySegment heap = MemorySegmentFactory.wrap(bytes);
    MemorySegment direct = MemorySegmentFactory.allocateUnpooledOffHeapMemory(bytes.length);
    direct.put(0, bytes);
    MemorySegment[] pages = pages(bytes, 8);

    assertThat(written(STRING, StringData.fromString("cust-00001234"))).isEqualTo("cust-00001234");
    assertThat(written(STRING, StringData.fromBytes("cust-00001234".getBytes(UTF_8))))
        .isEqualTo("cust-00001234");
    assertThat(written(STRING, text(new MemorySegment[] {heap}, offset, length)))
        .as("a part of an array")
        .isEqualTo("cust-00001234");
    assertThat(written(STRING, text(new MemorySegment[] {direct}, offset, length)))
        .as("outside of the heap")
        .isEqualTo("cust-00001234");
    assertThat(written(STRING, text(pages, offset, length)))
        .as("across pages")
        .isEqualTo("cust-00001234");
    assertThat(written(STRING, StringData.fromString(""))).isEmpty();
    assertThat(written(new CharType(13), text(new MemorySegment[] {heap}, offset, length)))
        .isEqualTo("cust-00001234");
  }

  @Test
  void aNullIsNoKey() {
    assertThat(
            new KeyRows(List.of(STRING), new int[] {0})
                .write(GenericRowData.of((Object) null), new Written()))
        .isFalse();
  }

  private static MemorySegment[] pages(byte[] bytes, int size) {
    List<MemorySegment> pages = new ArrayList<>();
    for (int from = 0; from < bytes.length; from += size) {
      byte[] page = new byte[size];
      System.arraycopy(bytes, from, page, 0, Math.min(size, bytes.length - from));
      pages.add(MemorySegmentFactory.wrap(page));
    }
    return pages.toArray(MemorySegment[]::new);
  }

  private static StringData text(MemorySegment[] segments, int offset, int length) {
    return BinaryStringData.fromAddress(segments, offset, length);
  }

  private static String written(LogicalType type, StringData text) {
    Written written = new Written();
    assertThat(new KeyRows(List.of(type), new int[] {0}).write(GenericRowData.of(text), written))
        .isTrue();
    assertThat(written.texts).hasSize(1);
    return written.texts.get(0);
  }

  /** Keeps texts, and takes nothing else. */
  private static final class Written implements KeyCells {
    private final List<String> texts = new ArrayList<>();

    @Override
    public void setBytes(int component, byte[] value, int offset, int length) {
      texts.add(new String(value, offset, length, UTF_8));
    }

    @Override
    public void setLong(int component, long value) {
      throw new AssertionError("a number was written: " + value);
    }

    @Override
    public void setDouble(int component, double value) {
      throw new AssertionError("a number was written: " + value);
    }

    @Override
    public void setText(int component, String value) {
      throw new AssertionError("a text was made of bytes: " + value);
    }

    @Override
    public void setDecimal(int component, long unscaled) {
      throw new AssertionError("a decimal was written: " + unscaled);
    }

    @Override
    public void setDecimal(int component, BigDecimal value) {
      throw new AssertionError("a decimal was written: " + value);
    }

    @Override
    public void setTimestamp(int component, long epochSecond, int nano) {
      throw new AssertionError("a timestamp was written: " + epochSecond);
    }
  }
}
