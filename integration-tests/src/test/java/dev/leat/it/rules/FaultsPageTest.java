package dev.leat.it.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What {@code docs/faults.md} names as proof is there. */
class FaultsPageTest {
  private static final String SCENARIOS = "FaultScenarios";

  /** A test of a class, or one of the scenarios: their names are sentences, so they are long. */
  private static final Pattern TEST = Pattern.compile("`(?:(\\w+(?:Test|IT))\\.)?([a-z]\\w{24,})`");

  private static final Pattern METHOD = Pattern.compile("@Test\\s+void (\\w+)\\(");

  @Test
  void everyTestThatThePageNamesExists() throws IOException {
    Matcher named = TEST.matcher(Files.readString(root().resolve("docs/faults.md")));
    Set<String> missing = new TreeSet<>();
    int tests = 0;
    while (named.find()) {
      tests++;
      String type = named.group(1) == null ? SCENARIOS : named.group(1);
      String sources = sources(type);
      if (!sources.contains("void " + named.group(2) + "()")) {
        missing.add(type + "." + named.group(2));
      }
    }
    assertThat(missing).isEmpty();
    assertThat(tests).isGreaterThan(40);
  }

  @Test
  void everyScenarioStandsOnThePage() throws IOException {
    String page = Files.readString(root().resolve("docs/faults.md"));
    Matcher scenario = METHOD.matcher(sources(SCENARIOS));
    Set<String> missing = new TreeSet<>();
    while (scenario.find()) {
      if (!page.contains("`" + scenario.group(1) + "`")) {
        missing.add(scenario.group(1));
      }
    }
    assertThat(missing).isEmpty();
  }

  private static String sources(String type) throws IOException {
    StringBuilder text = new StringBuilder();
    try (Stream<Path> modules = Files.list(root())) {
      for (Path tests : modules.map(module -> module.resolve("src/test/java")).toList()) {
        if (Files.isDirectory(tests)) {
          try (Stream<Path> files = Files.walk(tests)) {
            for (Path file : files.filter(path -> path.endsWith(type + ".java")).toList()) {
              text.append(Files.readString(file));
            }
          }
        }
      }
    }
    return text.toString();
  }

  private static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    while (folder != null && !Files.exists(folder.resolve("docs/faults.md"))) {
      folder = folder.getParent();
    }
    assertThat(folder).as("a folder above that holds docs/faults.md").isNotNull();
    return folder;
  }
}
