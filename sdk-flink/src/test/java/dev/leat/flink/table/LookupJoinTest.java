package dev.leat.flink.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Queries on a local Flink over files of the local disk, with the real engine. */
class LookupJoinTest {
  @TempDir private static Path host;

  @RegisterExtension
  private static final MiniClusterExtension CLUSTER =
      new MiniClusterExtension(
          () -> {
            Configuration configuration = new Configuration();
            configuration.setString("io.tmp.dirs", host.toString());
            return new MiniClusterResourceConfiguration.Builder()
                .setConfiguration(configuration)
                .setNumberTaskManagers(1)
                .setNumberSlotsPerTaskManager(4)
                .build();
          });

  @TempDir private Path directory;
  private TableEnvironment tables;

  @BeforeEach
  void prepare() throws IOException {
    tables = TableEnvironment.create(EnvironmentSettings.inStreamingMode());
    Path customers = Files.createDirectory(directory.resolve("customers"));
    Files.writeString(
        customers.resolve("part-0"), "anna|gold|DE|1\nboris|free|FR|2\nanna|silver|IT|3\n");
    tables.executeSql(
        "CREATE TABLE customers (id STRING, tier STRING, country STRING, n INT) WITH ("
            + "'connector' = 'leat', 'format' = 'text', 'text.field-delimiter' = '|', 'path' = '"
            + customers.toUri()
            + "')");
    tables.executeSql(
        "CREATE VIEW plays AS SELECT id, v, PROCTIME() AS proc_time FROM (VALUES "
            + "('anna', 1), ('boris', 2), ('nobody', 3), (CAST(NULL AS STRING), 4)) AS t (id, v)");
  }

  @Test
  void aLeftJoinGivesAllRowsOfAKeyAndKeepsEveryEvent() throws Exception {
    assertThat(
            run(
                "SELECT e.v, c.tier, c.n FROM plays AS e LEFT JOIN customers FOR SYSTEM_TIME AS OF"
                    + " e.proc_time AS c ON e.id = c.id"))
        .containsExactlyInAnyOrder(
            Row.of(1, "gold", 1),
            Row.of(1, "silver", 3),
            Row.of(2, "free", 2),
            Row.of(3, null, null),
            Row.of(4, null, null));
  }

  private List<Row> run(String query) throws Exception {
    List<Row> rows = new ArrayList<>();
    try (CloseableIterator<Row> result = tables.executeSql(query).collect()) {
      result.forEachRemaining(rows::add);
    }
    return rows;
  }
}
