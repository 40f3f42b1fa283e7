package dev.leat.internal.text;

import com.fasterxml.jackson.core.Base64Variants;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.NumberInput;
import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes values of columns out of JSON as Hive's {@code HiveJsonReader} does: numbers are cut to the
 * width of their column, text that is no number is 0, other text than {@code true} is false, and an
 * object or array in a STRING column is its own text. Where Hive gives up the query, the column is
 * NULL and is said to be unreadable; a part that Hive reads as NULL is NULL. Belongs to one thread.
 */
final class JsonValues {
  private final boolean strict;
  private final CapturedCell captured = new CapturedCell();
  private final Map<ColumnType, CellDecoder> decoders = new HashMap<>();
  private final Map<ColumnType, Map<String, Integer>> fieldNames = new HashMap<>();
  private @Nullable String unreadable;

  /** Whether the value that is being read is a part of another. */
  private boolean nested;

  JsonValues(Strictness strictness) {
    this.strict = strictness == Strictness.STRICT;
  }

  /** What of the value that was read last could not be read, or null. */
  @Nullable String unreadable() {
    return unreadable;
  }

  /** Reads the value at the parser's token and goes to its last token. */
  @Nullable Object read(ColumnType type, JsonParser in) throws IOException {
    unreadable = null;
    nested = type.isNested();
    return value(type, in);
  }

  private @Nullable Object value(ColumnType type, JsonParser in) throws IOException {
    if (in.currentToken() == JsonToken.VALUE_NULL) {
      return null;
    }
    return switch (type.kind()) {
      case ARRAY -> in.currentToken() == JsonToken.START_ARRAY ? array(type, in) : misfit(in);
      case MAP -> in.currentToken() == JsonToken.START_OBJECT ? map(type, in) : misfit(in);
      case STRUCT -> in.currentToken() == JsonToken.START_OBJECT ? struct(type, in) : misfit(in);
      case STRING -> in.currentToken().isStructStart() ? textOfTree(in) : text(in);
      default -> in.currentToken().isStructStart() ? misfit(in) : scalar(type, in);
    };
  }

  private List<@Nullable Object> array(ColumnType type, JsonParser in) throws IOException {
    List<@Nullable Object> elements = new ArrayList<>();
    while (in.nextToken() != JsonToken.END_ARRAY) {
      elements.add(value(type.element(), in));
    }
    return elements;
  }

  private Map<Object, @Nullable Object> map(ColumnType type, JsonParser in) throws IOException {
    Map<Object, @Nullable Object> entries = new LinkedHashMap<>();
    for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
      Object key = scalarOfText(type.key(), name);
      in.nextToken();
      Object value = value(type.value(), in);
      if (key != null) {
        entries.put(key, value);
      }
    }
    return entries;
  }

  private List<@Nullable Object> struct(ColumnType type, JsonParser in) throws IOException {
    Map<String, Integer> names =
        fieldNames.computeIfAbsent(
            type,
            struct -> {
              Map<String, Integer> positions = new HashMap<>();
              for (int i = 0; i < struct.fields().size(); i++) {
                positions.put(struct.fields().get(i).name().toLowerCase(Locale.ROOT), i);
              }
              return positions;
            });
    @Nullable Object[] fields = new Object[type.fields().size()];
    for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
      in.nextToken();
      Integer field = names.get(name.toLowerCase(Locale.ROOT));
      if (field == null) {
        in.skipChildren();
      } else {
        fields[field] = value(type.fields().get(field).type(), in);
      }
    }
    return Arrays.asList(fields);
  }

  private @Nullable Object misfit(JsonParser in) throws IOException {
    unreadable = in.currentToken().isStructStart() ? textOfTree(in) : in.getText();
    return null;
  }

  private static String textOfTree(JsonParser in) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator out = JsonLinesReader.JSON.createGenerator(text)) {
      out.copyCurrentStructure(in);
    }
    return text.toString();
  }

  /**
   * The text of a value without parts; a number with a point as the double that it is nearest to.
   */
  private static String text(JsonParser in) throws IOException {
    return in.currentToken() == JsonToken.VALUE_NUMBER_FLOAT
        ? Double.toString(in.getDoubleValue())
        : in.currentToken() == JsonToken.VALUE_NUMBER_INT
            ? in.getBigIntegerValue().toString()
            : in.getText();
  }

  private @Nullable Object scalar(ColumnType type, JsonParser in) throws IOException {
    return switch (in.currentToken()) {
      case VALUE_NUMBER_INT -> integer(type, in);
      case VALUE_NUMBER_FLOAT -> real(type, in);
      case VALUE_TRUE, VALUE_FALSE -> bool(type, in.currentToken() == JsonToken.VALUE_TRUE);
      default -> scalarOfText(type, in.getText());
    };
  }

  private @Nullable Object integer(ColumnType type, JsonParser in) throws IOException {
    boolean wide = in.getNumberType() == JsonParser.NumberType.BIG_INTEGER;
    long whole = wide ? in.getBigIntegerValue().longValue() : in.getLongValue();
    return switch (type.kind()) {
      case BOOLEAN -> checked(!strict, wide || whole != 0, in.getText());
      case TINYINT -> checked(!wide && whole == (byte) whole, (byte) whole, in.getText());
      case SMALLINT -> checked(!wide && whole == (short) whole, (short) whole, in.getText());
      case INT -> checked(!wide && whole == (int) whole, (int) whole, in.getText());
      case BIGINT -> checked(!wide, whole, in.getText());
      case FLOAT -> (float) in.getDoubleValue();
      case DOUBLE -> in.getDoubleValue();
      case BINARY -> null;
      default -> decoded(type, in.getBigIntegerValue().toString());
    };
  }

  private @Nullable Object real(ColumnType type, JsonParser in) throws IOException {
    double real = in.getDoubleValue();
    return switch (type.kind()) {
      case BOOLEAN -> checked(!strict, false, in.getText());
      case TINYINT -> checked(real == (byte) (int) real, (byte) (int) real, in.getText());
      case SMALLINT -> checked(real == (short) (int) real, (short) (int) real, in.getText());
      case INT -> checked(real == (int) real, (int) real, in.getText());
      case BIGINT -> checked(real == (long) real, (long) real, in.getText());
      case FLOAT -> (float) real;
      case DOUBLE -> real;
      case BINARY -> null;
      // With all its digits, where Hive has those of a double.
      case DECIMAL -> decoded(type, in.getText());
      default -> decoded(type, Double.toString(real));
    };
  }

  private @Nullable Object bool(ColumnType type, boolean value) {
    int number = value ? 1 : 0;
    return switch (type.kind()) {
      case BOOLEAN -> value;
      case TINYINT -> checked(!strict, (byte) number, Boolean.toString(value));
      case SMALLINT -> checked(!strict, (short) number, Boolean.toString(value));
      case INT -> checked(!strict, number, Boolean.toString(value));
      case BIGINT -> checked(!strict, (long) number, Boolean.toString(value));
      case FLOAT -> checked(!strict, (float) number, Boolean.toString(value));
      case DOUBLE -> checked(!strict, (double) number, Boolean.toString(value));
      case BINARY -> null;
      default -> decoded(type, Boolean.toString(value));
    };
  }

  private @Nullable Object scalarOfText(ColumnType type, String text) {
    return switch (type.kind()) {
      case BOOLEAN -> {
        boolean isTrue = text.trim().equals("true");
        yield checked(isTrue || text.trim().equals("false"), isTrue, text);
      }
      case TINYINT -> {
        int number = NumberInput.parseAsInt(text, 0);
        yield checked(isText(number, text), (byte) number, text);
      }
      case SMALLINT -> {
        int number = NumberInput.parseAsInt(text, 0);
        yield checked(isText(number, text), (short) number, text);
      }
      case INT -> {
        int number = NumberInput.parseAsInt(text, 0);
        yield checked(isText(number, text), number, text);
      }
      case BIGINT -> {
        long number = NumberInput.parseAsLong(text, 0);
        yield checked(isText(number, text), number, text);
      }
      case FLOAT -> {
        double number = NumberInput.parseAsDouble(text, 0);
        yield checked(number != 0 || text.strip().startsWith("0"), (float) number, text);
      }
      case DOUBLE -> {
        double number = NumberInput.parseAsDouble(text, 0);
        yield checked(number != 0 || text.strip().startsWith("0"), number, text);
      }
      case BINARY -> binary(text);
      default -> decoded(type, text);
    };
  }

  private static boolean isText(long number, String text) {
    return Long.toString(number).equals(text.strip());
  }

  /** What does not fit is what Hive makes of it, unless the format is strict. */
  private @Nullable Object checked(boolean fits, Object value, String raw) {
    if (strict && !fits) {
      unreadable = raw;
      return null;
    }
    return value;
  }

  private byte @Nullable [] binary(String text) {
    try {
      return Base64Variants.getDefaultVariant().decode(text);
    } catch (IllegalArgumentException e) {
      unreadable = text; // the caller counts the cell
      return null;
    }
  }

  /**
   * What has the same text in JSON as in delimited text: decimals, dates, timestamps, characters.
   */
  private @Nullable Object decoded(ColumnType type, String text) {
    CellDecoder decoder =
        decoders.computeIfAbsent(
            type,
            scalar ->
                CellDecoder.withoutNullMarker(
                    List.of(new Column("value", scalar)), Strictness.LENIENT, captured));
    captured.begin(type);
    // Shorter dates are none in delimited text at first sight; here nobody looks twice.
    String padded =
        switch (type.kind()) {
          case DATE, TIMESTAMP -> text + " ".repeat(Math.max(0, 8 - text.length()));
          default -> text;
        };
    byte[] utf8 = padded.getBytes(StandardCharsets.UTF_8);
    decoder.deliver(0, utf8, 0, utf8.length, false, false);
    if (captured.value() == null && (!nested || givesUp(type))) {
      unreadable = text;
    }
    return captured.value();
  }

  /** Whether Hive gives up the query for such a value, rather than reading NULL. */
  private static boolean givesUp(ColumnType type) {
    return switch (type.kind()) {
      case DECIMAL, TIMESTAMP -> false;
      default -> true;
    };
  }
}
