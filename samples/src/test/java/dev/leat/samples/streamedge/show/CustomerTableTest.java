package dev.leat.samples.streamedge.show;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CustomerTableTest {
  private static final int ID = 1;
  private static final int TIER = 18;
  private static final int VERSION = 21;

  private Path directory;
  private CustomerTable table;
  private final Map<String, RowLocation> locations = new HashMap<>();
  private Edition first;
  private Edition second;

  @BeforeAll
  void writeTwoEditions(@TempDir Path directory) throws IOException {
    this.directory = directory;
    table = CustomerTable.generate(1);
    second = table.write(2, directory.resolve("2"), new HashMap<>());
    first = table.write(1, directory.resolve("1"), locations);
  }

  @Test
  void scaleOneHasTheHundredThousandCustomersOfTheBenchmark() throws IOException {
    assertThat(table.rows()).isEqualTo(100_000);
    assertThat(rows(first)).hasSize(100_000);
    assertThat(new HashSet<>(table.ids())).hasSize(100_000);
  }

  @Test
  void aRowIsAsTheBenchmarksGeneratorWritesItWithFourColumnsMore() throws IOException {
    assertThat(Files.readAllLines(first.files().get(1), StandardCharsets.ISO_8859_1).get(0))
        .matches(
            "25001\\|AAAAAAAAJKBGAAAA\\|871309\\|6738\\|8120\\|2450550\\|2450520\\|Dr.\\|Brenda\\|Hogan\\|Y\\|20\\|1\\|1954\\|FRENCH GUIANA\\|\\|Brenda.Hogan@Hc.org\\|2452479\\|"
                + "(free|basic|standard|premium)\\|GF\\|active\\|1\\|");
    assertThat(rows(first)).allSatisfy(row -> assertThat(row).hasSize(23));
  }

  @Test
  void eachEditionMovesSomeCustomersOneTierUpAndChangesNothingElse() throws IOException {
    List<String[]> before = rows(first);
    List<String[]> after = rows(second);
    int changed = 0;
    for (int row = 0; row < before.size(); row++) {
      for (int column = 0; column < VERSION; column++) {
        if (column != TIER) {
          assertThat(after.get(row)[column]).isEqualTo(before.get(row)[column]);
        }
      }
      assertThat(after.get(row)[VERSION]).isEqualTo("2");
      if (!after.get(row)[TIER].equals(before.get(row)[TIER])) {
        changed++;
      }
    }
    assertThat(changed).isEqualTo(table.changedIn(2)).isBetween(2_000, 6_000);
  }

  @Test
  void theSameEditionIsTheSameBytes() throws IOException {
    Edition again = CustomerTable.generate(1).write(1, directory.resolve("again"), new HashMap<>());
    for (int file = 0; file < first.files().size(); file++) {
      assertThat(again.files().get(file)).hasSameBinaryContentAs(first.files().get(file));
    }
  }

  @Test
  void aRowIsWhereItsLocationSays() throws IOException {
    String id = table.ids().get(77_777);
    RowLocation location = locations.get(id);
    byte[] row = new byte[location.length()];
    try (RandomAccessFile file =
        new RandomAccessFile(first.files().get(location.file()).toFile(), "r")) {
      file.seek(location.offset());
      file.readFully(row);
    }
    assertThat(new String(row, StandardCharsets.ISO_8859_1).split("\\|", -1)[ID]).isEqualTo(id);
  }

  private static List<String[]> rows(Edition edition) throws IOException {
    List<String[]> rows = new ArrayList<>();
    for (Path file : edition.files()) {
      for (String line : Files.readAllLines(file, StandardCharsets.ISO_8859_1)) {
        rows.add(line.split("\\|", -1));
      }
    }
    return rows;
  }
}
