package dev.leat.internal.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.leat.format.Column;
import dev.leat.internal.cell.ObjectCells;
import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.RowSink;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads lines of which each is one JSON object. */
public final class JsonLinesReader extends LineRowsReader {
  /** How many lines say which members there are, where nobody else does. */
  private static final int SAMPLED_LINES = 100;

  private static final int MAX_TEXT = 64 * 1024 * 1024;

  static final JsonFactory JSON =
      new JsonFactoryBuilder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(500)
                  .maxStringLength(MAX_TEXT)
                  .maxNameLength(64 * 1024)
                  .build())
          .build();

  private final List<Column> columns;
  private final Strictness strictness;

  /** The columns by their names in lower case. */
  private final Map<String, Integer> members = new HashMap<>();

  /**
   * Creates a reader.
   *
   * @param columns the columns to deliver
   */
  public JsonLinesReader(List<Column> columns, Strictness strictness) {
    super(0, 0);
    this.columns = List.copyOf(columns);
    this.strictness = strictness;
    for (int i = 0; i < columns.size(); i++) {
      members.put(columns.get(i).name().toLowerCase(Locale.ROOT), i);
    }
  }

  /** The members of the first objects of a file, in the order in which they appear first. */
  public static List<String> membersOf(Blob file, BlobReader reader) throws IOException {
    List<String> names = new ArrayList<>();
    TreeSet<String> known = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    try (InputBuffer in = LineFile.open(file, reader, 0, 64 * 1024)) {
      in.skipByteOrderMark();
      for (int line = 0;
          line < SAMPLED_LINES && (in.position() < in.limit() || in.fill());
          line++) {
        int end = LineFile.lineEnd(in);
        addMembers(in.bytes(), in.position(), end, names, known);
        if (end == in.limit()) {
          break;
        }
        in.skipLineEnd(end);
      }
    }
    return names;
  }

  private static void addMembers(
      byte[] bytes, int start, int end, List<String> names, TreeSet<String> known)
      throws IOException {
    try (JsonParser in = JSON.createParser(bytes, start, end - start)) {
      if (in.nextToken() != JsonToken.START_OBJECT) {
        return;
      }
      for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
        if (!name.isBlank() && known.add(name)) {
          names.add(name);
        }
        in.nextToken();
        in.skipChildren();
      }
    } catch (JsonProcessingException e) {
      return; // whoever reads the rows says what is wrong with this one
    }
  }

  @Override
  LineParser parser(Blob file, BlobReader reader, RowSink sink) {
    return new Parser(sink);
  }

  /** Parses the lines of one split. */
  private final class Parser implements LineParser {
    private final RowSink sink;
    private final ObjectCells cells;
    private final JsonValues values = new JsonValues(strictness);
    private final @Nullable Object[] row = new Object[columns.size()];
    private final @Nullable String[] bad = new String[columns.size()];

    Parser(RowSink sink) {
      this.sink = sink;
      this.cells = new ObjectCells(columns, sink);
    }

    @Override
    public void parse(byte[] bytes, int start, int end, long offset, long number)
        throws IOException {
      if (isBlank(bytes, start, end)) {
        return;
      }
      sink.beginRow(offset);
      for (int i = 0; i < row.length; i++) {
        row[i] = null;
        bad[i] = null;
      }
      String refusal = null;
      try (JsonParser in = JSON.createParser(bytes, start, end - start)) {
        JsonToken first = in.nextToken();
        if (first == JsonToken.START_OBJECT) {
          readMembers(in);
        } else {
          refusal = "the line is no JSON object but begins with " + first;
        }
      } catch (JsonProcessingException e) {
        refusal = "the line is no JSON: " + e.getOriginalMessage();
      }
      int refused = -1;
      for (int i = 0; refusal == null && i < row.length; i++) {
        String raw = bad[i];
        if (raw == null) {
          cells.set(i, row[i]);
        } else if (strictness == Strictness.STRICT) {
          refused = i;
          refusal = "the value " + raw + " is not readable as " + columns.get(i).type();
        } else {
          cells.unparsable(i, raw);
        }
      }
      if (refusal == null) {
        sink.endRow();
      } else {
        sink.reject(number, refused, refusal);
      }
    }

    private void readMembers(JsonParser in) throws IOException {
      for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
        in.nextToken();
        Integer column = members.get(name.toLowerCase(Locale.ROOT));
        if (column == null) {
          in.skipChildren();
          continue;
        }
        // Of several members of one name the last counts.
        row[column] = values.read(columns.get(column).type(), in);
        bad[column] = values.unreadable();
      }
      if (in.currentToken() != JsonToken.END_OBJECT) {
        throw new com.fasterxml.jackson.core.JsonParseException(in, "the object does not end");
      }
    }

    private static boolean isBlank(byte[] bytes, int start, int end) {
      for (int i = start; i < end; i++) {
        if (bytes[i] != ' ' && bytes[i] != '\t') {
          return false;
        }
      }
      return true;
    }
  }
}
