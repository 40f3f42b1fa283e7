package dev.leat;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ErrorCodeTest {
  private static final Pattern HEADING = Pattern.compile("^### (.*)$", Pattern.MULTILINE);

  @Test
  void theDocumentDescribesEveryCodeAndNoOther() throws IOException {
    List<String> headings = new ArrayList<>();
    Matcher matcher = HEADING.matcher(Files.readString(document()));
    while (matcher.find()) {
      headings.add(matcher.group(1));
    }

    assertThat(headings)
        .containsExactlyElementsOf(
            Arrays.stream(ErrorCode.values())
                .map(code -> code.code() + " " + code.name())
                .toList());
  }

  @Test
  void everyCodeIsUsedOnce() {
    assertThat(Arrays.stream(ErrorCode.values()).map(ErrorCode::code))
        .doesNotHaveDuplicates()
        .allMatch(code -> code.matches("LEAT-[1-9]\\d{3}"));
  }

  /**
   * In the folder of the module above this one, as Maven and an IDE start tests in the module's.
   */
  private static Path document() {
    for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
      Path candidate = folder.resolve("docs/errors.md");
      if (Files.isRegularFile(candidate)) {
        return candidate;
      }
    }
    throw new AssertionError("no docs/errors.md above the working directory");
  }
}
