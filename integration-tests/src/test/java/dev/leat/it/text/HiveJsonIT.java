package dev.leat.it.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leat.format.Column;
import dev.leat.format.ColumnType.Kind;
import dev.leat.format.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Compares every cell of seeded random lines of JSON, nested ones included, with what Hive's {@code
 * JsonSerDe} makes of it; where Hive gives up the query, we must count a cell or refuse the row.
 */
class HiveJsonIT extends AgainstHive {
  private static final long SEED = Long.getLong("leat.json.seed", 20_261_129L);
  private static final int FILES = Integer.getInteger("leat.json.files", 12);
  private static final int LINES = Integer.getInteger("leat.json.lines", 400);

  @Test
  void everyValueIsReadAsHiveReadsIt() throws IOException {
    Comparison comparison = new Comparison("JsonSerDe");
    for (long seed = SEED; seed < SEED + FILES; seed++) {
      Random random = new Random(seed);
      List<Column> columns = new RandomTypes(random).columns(6, 3);
      AwkwardJson json = new AwkwardJson(random);
      StringBuilder lines = new StringBuilder();
      for (int i = 0; i < LINES; i++) {
        lines.append(json.line(columns)).append('\n');
      }
      Path file = fresh("case.json");
      Files.writeString(file, lines, StandardCharsets.UTF_8);
      Properties table = Tables.properties("org.apache.hadoop.hive.serde2.JsonSerDe", columns);
      comparison.compare(
          "seed " + seed,
          columns,
          Tables.read(Json.lines().columns(columns.toArray(Column[]::new)), columns, file, 20_000),
          hive().rows(table, columns.size(), file),
          lines.toString().split("\n", -1));
    }
    comparison.print();
    Map<Kind, Long> values = new EnumMap<>(comparison.values());
    assertThat(values.keySet()).containsExactlyInAnyOrder(Kind.values());
    assertThat(comparison.givenUp()).isPositive();
  }
}
