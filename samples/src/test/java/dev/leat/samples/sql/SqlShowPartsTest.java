package dev.leat.samples.sql;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.leat.testserver.FlinkLine;
import dev.leat.testserver.HiveStatement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqlShowPartsTest {

  @Test
  void theExpectedRowsAreTheJoinOfWhatIsSent() throws Exception {
    StreamEdgeData data = StreamEdgeData.generate(50, 400);
    Map<String, String[]> customers = new HashMap<>();
    for (int part = 0; part < 3; part++) {
      for (String line : new String(data.table(part, 3), UTF_8).split("\n", -1)) {
        String[] cells = line.split("\\|", -1);
        customers.put(cells[0], cells);
      }
    }
    customers.remove("");

    List<List<String>> joined = new ArrayList<>();
    for (String play : data.plays()) {
      JsonNode event = new ObjectMapper().readTree(play);
      String[] customer = customers.get(event.get("customer_id").asText());
      List<String> row = new ArrayList<>();
      row.add(event.get("event_id").asText());
      row.add(event.get("video_id").asText());
      row.add(customer == null ? null : customer[1]);
      row.add(customer == null ? null : customer[2]);
      joined.add(row);
    }

    assertThat(customers).hasSize(50);
    assertThat(joined).isEqualTo(data.joined());
    assertThat(joined).anyMatch(row -> row.get(2) == null).anyMatch(row -> row.get(2) != null);
  }

  @Test
  void theFirstStepIsReadAsHiveReadsIt() {
    assertThatCode(() -> HiveStatement.parse(ThreeSteps.hiveTable("alluxio://master:19998")))
        .doesNotThrowAnyException();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HiveStatement.parse("CREATE TABLE t (a INT) STORED AS ORC"))
        .withMessageContaining("STORED AS ORC");
  }

  @Test
  void flagsAreRead() {
    assertThat(SqlShowFlags.parse()).isEqualTo(new SqlShowFlags(FlinkLine.V1_20, 100_000, 1_000));
    assertThat(SqlShowFlags.parse("--flink", "2.2", "--customers", "5", "--events", "7"))
        .isEqualTo(new SqlShowFlags(FlinkLine.V2_2, 5, 7));
  }

  @ParameterizedTest
  @CsvSource({
    "--flink 1.19, 1.19",
    "--customers 0, --customers",
    "--events many, many",
    "--what 1, --what",
    "--flink, --flink"
  })
  void aWrongFlagIsRefusedWithWhatIsWrong(String flags, String wrong) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SqlShowFlags.parse(flags.split(" ", -1)))
        .withMessageContaining(wrong);
  }
}
