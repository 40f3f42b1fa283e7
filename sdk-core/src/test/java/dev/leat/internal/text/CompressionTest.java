package dev.leat.internal.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import dev.leat.spi.FileSplit;
import dev.leat.spi.StoreException;
import io.airlift.compress.hadoop.HadoopStreams;
import io.airlift.compress.lz4.Lz4HadoopStreams;
import io.airlift.compress.lzo.LzopHadoopStreams;
import io.airlift.compress.snappy.SnappyHadoopStreams;
import io.airlift.compress.zstd.ZstdOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CompressionTest {
  private static final List<Column> COLUMNS =
      List.of(new Column("a", ColumnType.STRING), new Column("b", ColumnType.INT));

  private interface Encoder {
    OutputStream over(OutputStream out) throws IOException;
  }

  private static Map<String, Encoder> encoders() {
    Map<String, Encoder> encoders = new LinkedHashMap<>();
    encoders.put("txt", out -> out);
    encoders.put("gz", GZIPOutputStream::new);
    encoders.put("deflate", DeflaterOutputStream::new);
    encoders.put("bz2", BZip2CompressorOutputStream::new);
    encoders.put("zst", ZstdOutputStream::new);
    encoders.put("snappy", hadoop(new SnappyHadoopStreams()));
    encoders.put("lz4", hadoop(new Lz4HadoopStreams()));
    encoders.put("lzo", hadoop(new LzopHadoopStreams()));
    return encoders;
  }

  private static Encoder hadoop(HadoopStreams streams) {
    return streams::createOutputStream;
  }

  @Test
  void everyCodecGivesTheSameRows() throws IOException {
    byte[] text = rows(0, 60_000);
    List<List<String>> expected = read("plain", text).cells();
    assertThat(expected).hasSize(60_000);
    for (Map.Entry<String, Encoder> codec : encoders().entrySet()) {
      byte[] file = encoded(codec.getValue(), text);
      assertThat(read("part-00000." + codec.getKey(), file).cells())
          .as(codec.getKey())
          .isEqualTo(expected);
      assertThat(read("PART." + codec.getKey().toUpperCase(Locale.ROOT), file).rows)
          .as(codec.getKey())
          .hasSize(60_000);
    }
  }

  @Test
  void filesOfSeveralMembersAreReadToTheEnd() throws IOException {
    for (String codec : List.of("gz", "bz2", "zst")) {
      ByteArrayOutputStream file = new ByteArrayOutputStream();
      for (int member = 0; member < 3; member++) {
        file.write(encoded(encoders().get(codec), rows(member * 1000, 1000)));
      }
      assertThat(read("members." + codec, file.toByteArray()).rows).as(codec).hasSize(3000);
    }
  }

  @Test
  void aDamagedFileIsNamed() throws IOException {
    for (Map.Entry<String, Encoder> codec : encoders().entrySet()) {
      if (codec.getKey().equals("txt")) {
        continue;
      }
      byte[] whole = encoded(codec.getValue(), rows(0, 60_000));
      byte[] cutOff = Arrays.copyOf(whole, whole.length / 2);
      assertThatThrownBy(() -> read("cut." + codec.getKey(), cutOff))
          .as(codec.getKey())
          .isExactlyInstanceOf(IOException.class)
          .hasMessageContaining("file:///data/cut." + codec.getKey() + " cannot be decompressed");
    }
    assertThatThrownBy(() -> read("text.gz", rows(0, 10)))
        .isExactlyInstanceOf(IOException.class)
        .hasMessageContaining("Not in GZIP format");
  }

  @Test
  void anEndBeforeTheListedLengthIsAFailureOfTheStore() throws IOException {
    // The second member of the gzip file and the second half of the text are what the store does
    // not give.
    byte[] member = encoded(encoders().get("gz"), rows(0, 100));
    for (Map.Entry<String, byte[]> file :
        Map.of("f.gz", member, "f.txt", rows(0, 100)).entrySet()) {
      BytesFile shorter = new BytesFile(file.getKey(), file.getValue());
      BytesFile listed = new BytesFile(file.getKey(), new byte[2 * file.getValue().length]);
      assertThatThrownBy(
              () ->
                  reader()
                      .read(
                          new FileSplit(listed.blob, 0, listed.blob.length()),
                          shorter,
                          new RecordedRows(COLUMNS)))
          .as(file.getKey())
          .isInstanceOfSatisfying(
              StoreException.class,
              e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.TRUNCATED));
    }
  }

  @Test
  void aFailureOfTheStoreBetweenTwoMembersIsNotTheEnd() throws IOException {
    byte[] member = encoded(encoders().get("gz"), rows(0, 100));
    StoreException failure =
        new StoreException(StoreException.Kind.UNAVAILABLE, "the connection broke", null);
    InputStream broken =
        new ByteArrayInputStream(member) {
          @Override
          public synchronized int read(byte[] target, int offset, int length) {
            int count = super.read(target, offset, length);
            if (count < 0) {
              throw new Sneaky(failure);
            }
            return count;
          }
        };
    InputStream unwrapped =
        new FilterInputStream(broken) {
          @Override
          public int read(byte[] target, int offset, int length) throws IOException {
            try {
              return super.read(target, offset, length);
            } catch (Sneaky e) {
              throw e.failure;
            }
          }
        };

    InputStream content =
        Compression.GZIP.decompressed(
            unwrapped, 2L * member.length, URI.create("file:///data/f.gz"));

    assertThatThrownBy(content::readAllBytes).isSameAs(failure);
  }

  private static final class Sneaky extends RuntimeException {
    private final transient StoreException failure;

    Sneaky(StoreException failure) {
      this.failure = failure;
    }
  }

  @Test
  void aFileThatNobodyReadsIsRefusedByItsName() {
    BytesFile zip = new BytesFile("customers.zip", new byte[10]);
    assertThatThrownBy(() -> reader().splits(zip.blob, 100))
        .isInstanceOfSatisfying(
            LeatException.class,
            e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.CODEC_NOT_FOUND))
        .hasMessageContaining("files ending in .zip cannot be read (file:///data/customers.zip)");
  }

  @Test
  void withoutTheOptionalLibraryTheJdksCodecsWorkAndTheOthersNameIt() throws Exception {
    URL classes = Compression.class.getProtectionDomain().getCodeSource().getLocation();
    URL jspecify = Nullable.class.getProtectionDomain().getCodeSource().getLocation();
    try (URLClassLoader withoutLibrary =
        new URLClassLoader(new URL[] {classes, jspecify}, ClassLoader.getPlatformClassLoader())) {
      Class<?> compression = withoutLibrary.loadClass(Compression.class.getName());
      Method of = compression.getDeclaredMethod("of", URI.class);
      Method decompressed =
          compression.getDeclaredMethod("decompressed", InputStream.class, long.class, URI.class);
      of.setAccessible(true);
      decompressed.setAccessible(true);
      URI gzip = URI.create("file:///data/f.gz");
      byte[] packed = encoded(encoders().get("gz"), rows(0, 10));
      InputStream content =
          (InputStream)
              decompressed.invoke(
                  of.invoke(null, gzip),
                  new ByteArrayInputStream(packed),
                  (long) packed.length,
                  gzip);
      assertThat(content.readAllBytes()).isEqualTo(rows(0, 10));
      for (String extension : List.of("bz2", "zst", "snappy", "lz4", "lzo")) {
        URI file = URI.create("file:///data/f." + extension);
        Object codec = of.invoke(null, file);
        assertThatThrownBy(
                () ->
                    decompressed.invoke(
                        codec, new ByteArrayInputStream(packed), (long) packed.length, file))
            .cause()
            .hasMessageStartingWith(
                "LEAT-1005: reading "
                    + file
                    + " takes the library "
                    + (extension.equals("bz2")
                        ? "org.apache.commons:commons-compress"
                        : "io.airlift:aircompressor")
                    + ", which is not on the class path (");
      }
    }
  }

  private static byte[] rows(int first, int count) {
    StringBuilder text = new StringBuilder();
    for (int i = first; i < first + count; i++) {
      text.append("name-").append(i * 7919 % 10_007).append('|').append(i).append('\n');
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] encoded(Encoder encoder, byte[] content) throws IOException {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    try (OutputStream out = encoder.over(file)) {
      out.write(content);
    }
    return file.toByteArray();
  }

  private static DelimitedTextReader reader() {
    return new DelimitedTextReader(
        COLUMNS,
        Optional.of(List.of("a", "b")),
        new TextLayout(
            (byte) '|', Optional.empty(), "\\N", StandardCharsets.UTF_8, 0, 0, Strictness.LENIENT));
  }

  private static RecordedRows read(String name, byte[] content) throws IOException {
    BytesFile file = new BytesFile(name, content);
    RecordedRows rows = new RecordedRows(COLUMNS);
    for (FileSplit split : reader().splits(file.blob, Long.MAX_VALUE)) {
      reader().read(split, file, rows);
    }
    assertThat(file.openStreams).isZero();
    return rows;
  }
}
