package dev.leat.samples.streamedge.show;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The judge must see every kind of error; each test plants one. */
class IndependentCheckTest {

  @TempDir Path directory;
  private final List<Edition> editions = new ArrayList<>();
  private final List<String> plays = new ArrayList<>();
  private final List<String> output = new ArrayList<>();

  /**
   * Ann moves up from edition 1 to 2; Bo's country, which the table writes in ISO 8859-1, is not
   * known. Plays 0 and 2 are of partition 0, 1 and 3 of partition 1.
   */
  @BeforeEach
  void aGoodRun() throws IOException {
    for (int version = 1; version <= 2; version++) {
      editions.add(
          new Edition(
              version,
              List.of(
                  file(
                      version,
                      "1",
                      row("ANN", "CHILE", version == 1 ? "free" : "basic", "CL", version)),
                  file(version, "2", row("BO", "CÔTE D'IVOIRE", "free", "", version)))));
    }
    plays.add("0|0|ANN|v1|1000|10");
    plays.add("1|1|GUEST|v2|1001|20");
    plays.add("2|0|ANN|v3|1002|30");
    plays.add("3|1||v4|1003|40");
    plays.add("4|0|BO|v5|1004|50");
    output.add("0|ANN|v1|1000|10|free|CL|active|1|1000");
    output.add("1|GUEST|v2|1001|20|||||1001");
    output.add("2|ANN|v3|1002|30|basic|CL|active|2|1002");
    output.add("3||v4|1003|40|||||1003");
    output.add("4|BO|v5|1004|50|free||active|2|1004");
  }

  @Test
  void aGoodRunIsGood() throws Exception {
    assertThat(check()).isEqualTo(new Verdict(5, 5, 3, 1, 0, 0, 0, 0, List.of(1, 2), List.of()));
    assertThat(check().isGood(0)).isTrue();
  }

  @Test
  void anEventThatIsMissingIsLost() throws Exception {
    output.remove(1);
    assertBad(check().lost());
  }

  @Test
  void anEventThatComesTwiceIsDoubled() throws Exception {
    output.add(output.get(3));
    assertBad(check().doubled());
  }

  @Test
  void anEventThatIsNoPlayIsWrong() throws Exception {
    output.add("99|ANN|v1|1000|10|free|CL|active|1|1000");
    assertBad(check().wrong());
  }

  @Test
  void aTierOfAnotherEditionThanNamedIsWrong() throws Exception {
    output.set(2, "2|ANN|v3|1002|30|free|CL|active|2|1002");
    assertBad(check().wrong());
  }

  @Test
  void anotherCustomersRowIsWrong() throws Exception {
    output.set(4, "4|BO|v5|1004|50|basic|CL|active|2|1004");
    assertBad(check().wrong());
  }

  @Test
  void noRowForACustomerThatExistsIsWrong() throws Exception {
    output.set(0, "0|ANN|v1|1000|10|||||1000");
    assertBad(check().wrong());
  }

  @Test
  void aRowForACustomerThatDoesNotExistIsWrong() throws Exception {
    output.set(1, "1|GUEST|v2|1001|20|free|CL|active|1|1001");
    assertBad(check().wrong());
  }

  @Test
  void anEditionThatWasNeverPublishedIsWrong() throws Exception {
    output.set(4, "4|BO|v5|1004|50|free||active|3|1004");
    assertBad(check().wrong());
  }

  @Test
  void anEventWhoseTimeChangedIsWrong() throws Exception {
    output.set(4, "4|BO|v5|1004|50|free||active|2|1005");
    assertBad(check().wrong());
  }

  @Test
  void anEditionThatComesBackWithinAPartitionIsCounted() throws Exception {
    output.set(0, "0|ANN|v1|1000|10|basic|CL|active|2|1000");
    output.set(2, "2|ANN|v3|1002|30|free|CL|active|1|1002");
    assertThat(check().wrong()).isZero();
    assertThat(check().backwards()).isEqualTo(1);
    assertThat(check().isGood(0)).isFalse();
  }

  @Test
  void aRunWithoutOutputIsNotGood() throws Exception {
    plays.clear();
    output.clear();
    assertThat(check().isGood(0)).isFalse();
  }

  private void assertBad(long count) throws Exception {
    assertThat(count).isEqualTo(1);
    assertThat(check().isGood(0)).isFalse();
  }

  private Verdict check() throws IOException, SQLException {
    Path sent = Files.write(directory.resolve("plays"), plays);
    Path committed = Files.write(directory.resolve("output"), output);
    return IndependentCheck.check(sent, committed, editions, directory);
  }

  private Path file(int version, String name, String row) throws IOException {
    Path folder = Files.createDirectories(directory.resolve("edition" + version));
    return Files.writeString(folder.resolve(name), row + "\n", StandardCharsets.ISO_8859_1);
  }

  private static String row(
      String id, String birthCountry, String tier, String country, int version) {
    return "1|"
        + id
        + "|||||||||||||"
        + birthCountry
        + "||||"
        + tier
        + "|"
        + country
        + "|active|"
        + version
        + "|";
  }
}
