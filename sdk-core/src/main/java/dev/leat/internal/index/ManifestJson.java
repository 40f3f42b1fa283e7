package dev.leat.internal.index;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.leat.DuplicateKeys;
import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * {@link IndexManifest} as JSON: fields in a fixed order, and as the last one the checksum of all
 * bytes before it, so that a damaged manifest cannot pass for another one.
 */
final class ManifestJson {
  /** The largest manifest that is read. */
  static final int MAX_BYTES = 64 << 20;

  /** The longest text in a manifest: the type of a column with very many fields. */
  private static final int MAX_TEXT = 1 << 20;

  /** How much of a text that makes no sense is shown. */
  private static final int SHOWN = 200;

  private static final String CRC_FIELD = ",\"crc32c\":\"";
  private static final int CRC_DIGITS = 8;
  private static final Pattern FILE_NAME = Pattern.compile("[a-z][a-z0-9-]{0,63}\\.leat");
  private static final JsonFactory JSON =
      new JsonFactoryBuilder()
          // A table of all names ever read would grow with each damaged manifest.
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxDocumentLength(MAX_BYTES)
                  .maxNestingDepth(8)
                  .maxStringLength(MAX_TEXT)
                  .maxNameLength(MAX_TEXT)
                  .maxNumberLength(32)
                  .build())
          .build();

  private ManifestJson() {}

  static byte[] write(IndexManifest manifest) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator out = JSON.createGenerator(bytes)) {
      out.writeStartObject();
      out.writeNumberField("formatVersion", manifest.formatVersion());
      out.writeStringField("sourceFingerprint", manifest.sourceFingerprint());
      out.writeArrayFieldStart("columns");
      for (Column column : manifest.columns()) {
        out.writeStartObject();
        out.writeStringField("name", column.name());
        out.writeStringField("kind", column.type().kind().name());
        out.writeNumberField("precision", column.type().precision());
        out.writeNumberField("scale", column.type().scale());
        if (column.type().isNested()) {
          out.writeStringField("type", column.type().toString());
        }
        out.writeEndObject();
      }
      out.writeEndArray();
      out.writeArrayFieldStart("keyColumns");
      for (int position : manifest.keyColumns()) {
        out.writeNumber(position);
      }
      out.writeEndArray();
      out.writeStringField("duplicates", manifest.duplicates().name());
      out.writeNumberField("rows", manifest.rows());
      out.writeNumberField("duplicateKeys", manifest.duplicateKeys());
      out.writeNumberField("nullKeyRows", manifest.nullKeyRows());
      out.writeNumberField("filteredRows", manifest.filteredRows());
      out.writeNumberField("rejectedRows", manifest.rejectedRows());
      samples(out, "rejectedSamples", manifest.rejectedSamples());
      out.writeNumberField("unparsableCells", manifest.unparsableCells());
      samples(out, "unparsableSamples", manifest.unparsableSamples());
      out.writeArrayFieldStart("shards");
      for (IndexManifest.Shard shard : manifest.shards()) {
        out.writeStartObject();
        out.writeStringField("name", shard.name());
        out.writeNumberField("bytes", shard.bytes());
        out.writeStringField("crc32c", hex(shard.crc32c()));
        out.writeStringField("footerCrc32c", hex(shard.footerCrc32c()));
        out.writeEndObject();
      }
      out.writeEndArray();
      out.flush();
      byte[] content = bytes.toByteArray();
      bytes.write(
          (CRC_FIELD + hex(crc(content, content.length)) + "\"}")
              .getBytes(StandardCharsets.US_ASCII));
      byte[] whole = bytes.toByteArray();
      out.writeEndObject();
      return whole;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void samples(JsonGenerator out, String name, List<IndexManifest.Sample> samples)
      throws IOException {
    out.writeArrayFieldStart(name);
    for (IndexManifest.Sample sample : samples) {
      out.writeStartObject();
      out.writeStringField("file", sample.file());
      out.writeNumberField("offset", sample.offset());
      out.writeNumberField("line", sample.line());
      out.writeStringField("column", sample.column());
      out.writeStringField("reason", sample.reason());
      out.writeEndObject();
    }
    out.writeEndArray();
  }

  static IndexManifest read(byte[] json, String name) {
    int contentLength = json.length - CRC_FIELD.length() - CRC_DIGITS - 2;
    if (contentLength < 0
        || !new String(
                json, contentLength, json.length - contentLength, StandardCharsets.ISO_8859_1)
            .equals(CRC_FIELD + hex(crc(json, contentLength)) + "\"}")) {
      throw damaged(name, "has a wrong checksum", null);
    }
    try (JsonParser in = JSON.createParser(json)) {
      return new Reader(in).manifest(name);
    } catch (IOException | IllegalArgumentException e) {
      throw damaged(name, "cannot be read (" + shown(String.valueOf(e.getMessage())) + ")", null);
    }
  }

  /** The begin of a text that may have been made to fill logs. */
  private static String shown(String text) {
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
  }

  private static LeatException damaged(
      String name, String what, @org.jspecify.annotations.Nullable Throwable cause) {
    return new LeatException(
        ErrorCode.INDEX_DAMAGED,
        "the manifest "
            + name
            + " "
            + what
            + "; delete the index, it is built again from the source",
        cause);
  }

  private static String hex(int value) {
    return String.format(java.util.Locale.ROOT, "%08x", value);
  }

  private static int crc(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }

  /** Reads fields in the order in which they are written. */
  private static final class Reader {
    private final JsonParser in;

    Reader(JsonParser in) {
      this.in = in;
    }

    IndexManifest manifest(String name) throws IOException {
      expect(JsonToken.START_OBJECT);
      long version = number("formatVersion");
      if (version != IndexColumns.FORMAT_VERSION) {
        throw new LeatException(
            ErrorCode.INDEX_FORMAT_UNSUPPORTED,
            "the manifest "
                + name
                + " has the format version "
                + version
                + "; this release reads "
                + IndexColumns.FORMAT_VERSION
                + "; delete the index, it is built again");
      }
      String fingerprint = text("sourceFingerprint");
      List<Column> columns = new ArrayList<>();
      array("columns");
      while (in.nextToken() == JsonToken.START_OBJECT) {
        columns.add(new Column(text("name"), type()));
      }
      List<Integer> keyColumns = new ArrayList<>();
      array("keyColumns");
      while (in.nextToken() == JsonToken.VALUE_NUMBER_INT) {
        int position = in.getIntValue();
        if (position < 0 || position >= columns.size()) {
          throw new IllegalArgumentException(
              "the key's column " + position + " is none of " + columns.size());
        }
        keyColumns.add(position);
      }
      if (keyColumns.isEmpty() || keyColumns.stream().distinct().count() != keyColumns.size()) {
        throw new IllegalArgumentException("the key's columns are " + keyColumns);
      }
      DuplicateKeys duplicates = DuplicateKeys.valueOf(text("duplicates"));
      return new IndexManifest(
          IndexColumns.FORMAT_VERSION,
          columns,
          keyColumns,
          duplicates,
          fingerprint,
          count("rows"),
          count("duplicateKeys"),
          count("nullKeyRows"),
          count("filteredRows"),
          count("rejectedRows"),
          samples("rejectedSamples"),
          count("unparsableCells"),
          samples("unparsableSamples"),
          shards());
    }

    /** Reads what a column has behind its name: its type, and the end. */
    private ColumnType type() throws IOException {
      ColumnType.Kind kind = ColumnType.Kind.valueOf(text("kind"));
      int precision = small("precision");
      int scale = small("scale");
      switch (kind) {
        case ARRAY, MAP, STRUCT -> {
          ColumnType type = ColumnType.parse(text("type"));
          if (type.kind() != kind) {
            throw new IllegalArgumentException(type + " is no " + kind);
          }
          expect(JsonToken.END_OBJECT);
          return type;
        }
        default -> {
          expect(JsonToken.END_OBJECT);
          return new ColumnType(kind, precision, scale);
        }
      }
    }

    private List<IndexManifest.Sample> samples(String name) throws IOException {
      List<IndexManifest.Sample> samples = new ArrayList<>();
      array(name);
      while (in.nextToken() == JsonToken.START_OBJECT) {
        samples.add(
            new IndexManifest.Sample(
                text("file"), number("offset"), number("line"), text("column"), text("reason")));
        expect(JsonToken.END_OBJECT);
      }
      return samples;
    }

    private List<IndexManifest.Shard> shards() throws IOException {
      List<IndexManifest.Shard> shards = new ArrayList<>();
      array("shards");
      while (in.nextToken() == JsonToken.START_OBJECT) {
        shards.add(
            new IndexManifest.Shard(
                fileName(text("name")),
                fileBytes(number("bytes")),
                crc("crc32c"),
                crc("footerCrc32c")));
        expect(JsonToken.END_OBJECT);
      }
      return shards;
    }

    /**
     * A manifest may come from a place that others can write to, and files are fetched under the
     * names that it gives: none may lead out of the directory of the index.
     */
    private static String fileName(String name) {
      if (!FILE_NAME.matcher(name).matches()) {
        throw new IllegalArgumentException("'" + name + "' is no name of a file of an index");
      }
      return name;
    }

    private static long fileBytes(long bytes) {
      if (bytes < 0 || bytes > Integer.MAX_VALUE) {
        throw new IllegalArgumentException("a file of an index cannot have " + bytes + " bytes");
      }
      return bytes;
    }

    private void array(String name) throws IOException {
      field(name);
      expect(JsonToken.START_ARRAY);
    }

    private long number(String name) throws IOException {
      field(name);
      expect(JsonToken.VALUE_NUMBER_INT);
      return in.getLongValue();
    }

    private long count(String name) throws IOException {
      long count = number(name);
      if (count < 0) {
        throw new IllegalArgumentException("there are " + count + " " + name);
      }
      return count;
    }

    /** A number that an int holds; any other would be cut to one that is not there. */
    private int small(String name) throws IOException {
      long number = number(name);
      if (number != (int) number) {
        throw new IllegalArgumentException(name + " is " + number);
      }
      return (int) number;
    }

    private String text(String name) throws IOException {
      field(name);
      expect(JsonToken.VALUE_STRING);
      return in.getText();
    }

    private int crc(String name) throws IOException {
      return Integer.parseUnsignedInt(text(name), 16);
    }

    private void field(String name) throws IOException {
      expect(JsonToken.FIELD_NAME);
      if (!name.equals(in.currentName())) {
        throw new IllegalArgumentException(
            "there is '" + in.currentName() + "' instead of '" + name + "'");
      }
    }

    private void expect(JsonToken token) throws IOException {
      JsonToken next = in.nextToken();
      if (next != token) {
        throw new IllegalArgumentException("there is " + next + " instead of " + token);
      }
    }
  }
}
