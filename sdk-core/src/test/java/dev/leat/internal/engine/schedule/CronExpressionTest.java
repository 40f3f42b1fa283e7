package dev.leat.internal.engine.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CronExpressionTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          * * * * *          | 2026-11-30T03:01:00 | 2026-11-30T03:01
          * * * * *          | 2026-11-30T03:01:01 | 2026-11-30T03:02
          */15 * * * *       | 2026-11-30T03:01:00 | 2026-11-30T03:15
          7-59/20 3 * * *    | 2026-11-30T03:28:00 | 2026-11-30T03:47
          30 3 * * *         | 2026-11-30T03:30:00 | 2026-11-30T03:30
          30 3 * * *         | 2026-11-30T03:30:01 | 2026-12-01T03:30
          59 23 31 12 *      | 2026-12-31T23:59:01 | 2027-12-31T23:59
          0 0 * * SUN        | 2026-11-30T00:00:00 | 2026-12-06T00:00
          0 0 * * 7          | 2026-11-30T00:00:00 | 2026-12-06T00:00
          0 0 * * 0          | 2026-11-30T00:00:00 | 2026-12-06T00:00
          0 0 * * fri-7      | 2026-12-01T00:00:00 | 2026-12-04T00:00
          0 0 1,15 * WED     | 2026-11-30T00:00:00 | 2026-12-01T00:00
          0 0 1,15 * WED     | 2026-12-01T00:01:00 | 2026-12-02T00:00
          0 12 29 FEB *      | 2096-03-01T00:00:00 | 2104-02-29T12:00
          0 22 * jan,mar 1-5 | 2026-11-30T00:00:00 | 2027-01-01T22:00
          """)
  void givesTheFirstTimeFromAMomentOn(String expression, LocalDateTime from, LocalDateTime time) {
    assertThat(CronExpression.parse(expression).atOrAfter(from)).isEqualTo(time);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          ''              | has 0 fields
          * * * *         | has 4 fields
          0 0 0 * * *     | has 6 fields
          60 * * * *      | '60' as minute: 60 is not one of 0 to 59
          * 24 * * *      | '24' as hour: 24 is not one of 0 to 23
          * * 0 * *       | '0' as day of the month: 0 is not one of 1 to 31
          * * * 13 *      | '13' as month: 13 is not one of 1 to 12
          * * * * 8       | '8' as day of the week: 8 is not one of 0 to 7
          * * * * MOON    | 'MOON' is neither a number of 0 to 7 nor one of [SUN, MON
          * * * MON *     | 'MON' is neither a number of 1 to 12 nor one of [JAN, FEB
          a * * * *       | 'a' is neither a number of 0 to 59
          5/10 * * * *    | a step needs a range or *, e.g. 5-59
          */0 * * * *     | a step is at least 1
          30-10 * * * *   | the range ends before it begins
          1,,2 * * * *    | '' as minute: it is no number, name, range, step or *
          -1 * * * *      | '-1' as minute: it is no number
          999 * * * *     | '999' is neither a number
          @daily          | has 1 fields
          0 0 31 2,4 *    | never comes
          """)
  void saysWhatIsWrongWithAnExpression(String expression, String message) {
    assertThatThrownBy(() -> CronExpression.parse(expression))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the cron expression '" + expression + "'")
        .hasMessageContaining(message);
  }

  @Test
  void comesAtTheTimesThatCronUtilsSays() {
    long seed = Long.getLong("leat.seed", 20261130);
    Random random = new Random(seed);
    CronParser parser = new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));
    for (int i = 0; i < 2_000; i++) {
      String expression = randomExpression(random);
      ZonedDateTime from =
          Instant.ofEpochSecond(1_700_000_000L + random.nextInt(200_000_000))
              .atZone(ZoneOffset.UTC);
      ZonedDateTime expected =
          ExecutionTime.forCron(parser.parse(expression)).nextExecution(from).orElse(null);
      LocalDateTime time =
          CronExpression.parse(expression).atOrAfter(from.toLocalDateTime().plusNanos(1));
      assertThat(time)
          .as("%s after %s, seed %d", expression, from, seed)
          .isEqualTo(expected == null ? null : expected.toLocalDateTime());
    }
  }

  /** With one of both kinds of day free, where all crons agree; always of days that come. */
  private static String randomExpression(Random random) {
    boolean ofMonth = random.nextBoolean();
    return field(random, 0, 59)
        + " "
        + field(random, 0, 23)
        + " "
        + (ofMonth ? field(random, 1, 28) : "*")
        + " "
        + field(random, 1, 12)
        + " "
        + (ofMonth ? "*" : field(random, 0, 6));
  }

  private static String field(Random random, int first, int last) {
    StringBuilder text = new StringBuilder();
    int parts = random.nextInt(4) == 0 ? 2 : 1;
    for (int i = 0; i < parts; i++) {
      int from = first + random.nextInt(last - first + 1);
      int to = from + random.nextInt(last - from + 1);
      text.append(i == 0 ? "" : ",");
      switch (parts == 1 ? random.nextInt(5) : random.nextInt(3)) {
        case 0 -> text.append(from);
        case 1 -> text.append(from).append('-').append(to);
        case 2 ->
            text.append(from).append('-').append(to).append('/').append(1 + random.nextInt(5));
        case 3 -> text.append("*/").append(1 + random.nextInt(last));
        default -> text.append('*');
      }
    }
    return text.toString();
  }
}
