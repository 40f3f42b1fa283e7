package dev.leat.flink.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.description.Description;
import org.apache.flink.configuration.description.HtmlFormatter;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/sql-options.md} says what the options say. Run with {@code -Dleat.docs=write} to
 * write it anew.
 */
class OptionsPageTest {
  private static final String BEGIN = "<!-- generated from LeatOptions: -Dleat.docs=write -->\n";
  private static final String END = "<!-- end of what is generated -->\n";

  @Test
  void thePageHasTheOptionsAsTheyAre() throws IOException {
    Path page = page();
    String before = Files.readString(page);
    int begin = before.indexOf(BEGIN) + BEGIN.length();
    int end = before.indexOf(END);
    assertThat(begin).isGreaterThan(BEGIN.length() - 1);
    assertThat(end).isGreaterThan(begin - 1);
    String after = before.substring(0, begin) + table() + before.substring(end);
    if ("write".equals(System.getProperty("leat.docs"))) {
      Files.writeString(page, after);
    }
    assertThat(Files.readString(page)).isEqualTo(after);
  }

  private static String table() {
    List<String> lines = new ArrayList<>();
    lines.add("| option | default | what it says |");
    lines.add("|---|---|---|");
    LeatOptions.required().forEach(option -> lines.add(line(option, "required")));
    LeatOptions.optional()
        .forEach(
            option ->
                lines.add(
                    line(option, option.hasDefaultValue() ? text(option.defaultValue()) : "none")));
    return String.join("\n", lines) + "\n";
  }

  private static String line(ConfigOption<?> option, String defaultValue) {
    return "| `"
        + option.key()
        + "` | "
        + defaultValue
        + " | "
        + plain(option.description())
        + " |";
  }

  private static String text(Object value) {
    return "`" + (value instanceof Duration duration ? duration.toMinutes() + " min" : value) + "`";
  }

  private static String plain(Description description) {
    return new HtmlFormatter()
        .format(description)
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("<code class=\"highlighter-rouge\">", "`")
        .replace("</code>", "`")
        .replace("<wbr>", "");
  }

  private static Path page() {
    Path directory = Path.of("").toAbsolutePath();
    while (!Files.exists(directory.resolve("docs/metrics.md"))) {
      Path parent = directory.getParent();
      assertThat(parent).as("a directory above that holds docs").isNotNull();
      directory = parent;
    }
    return directory.resolve("docs/sql-options.md");
  }
}
