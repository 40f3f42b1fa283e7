package dev.leat.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the first page promises is there. */
class ReadmeTest {
  private static final Path ROOT = root();
  private static final Path QUICKSTART =
      ROOT.resolve("samples/src/main/java/dev/leat/samples/quickstart/Quickstart.java");

  @Test
  void theTenLinesAreThoseOfTheQuickstart() throws IOException {
    String source = Files.readString(QUICKSTART);
    String region =
        between(source, "// tag::join[]\n", "    // end::join[]").stripTrailing().stripIndent();
    String block = between(Files.readString(ROOT.resolve("README.md")), "```java\n", "\n```");
    assertThat(block).isEqualTo(region);
  }

  @Test
  void everyLinkOfTheFirstPageAndOfTheDocsIndexLeadsSomewhere() throws IOException {
    for (String page : List.of("README.md", "docs/README.md")) {
      Path file = ROOT.resolve(page);
      Matcher links = Pattern.compile("\\]\\((?!https?:)([^)#]+)").matcher(Files.readString(file));
      while (links.find()) {
        assertThat(file.resolveSibling(links.group(1))).as("a link in %s", page).exists();
      }
    }
  }

  private static String between(String text, String begin, String end) {
    int from = text.indexOf(begin) + begin.length();
    return text.substring(from, text.indexOf(end, from));
  }

  private static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.isDirectory(folder.resolve("sdk-core"))) {
      folder = folder.getParent();
    }
    return folder;
  }
}
