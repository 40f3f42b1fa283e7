package dev.leat.samples.sql;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Customers and plays, the same ones every time, and what their join has to give, by a plain map.
 */
final class StreamEdgeData {
  private static final long SEED = 20_260_101;
  private static final List<String> TIERS = List.of("free", "basic", "standard", "premium");
  private static final List<String> COUNTRIES = List.of("DE", "FR", "BR", "IN", "JP", "US");

  /** One play in so many is of nobody whom the table has, one of nobody at all. */
  private static final int RARE = 20;

  private final List<String> lines = new ArrayList<>();
  private final List<String> plays = new ArrayList<>();
  private final List<List<@Nullable String>> joined = new ArrayList<>();

  private StreamEdgeData() {}

  static StreamEdgeData generate(int customers, int events) {
    StreamEdgeData data = new StreamEdgeData();
    Random random = new Random(SEED);
    Map<String, List<String>> rows = new HashMap<>();
    for (int i = 0; i < customers; i++) {
      String id = "C%08d".formatted(i);
      String tier = TIERS.get(random.nextInt(TIERS.size()));
      String country = COUNTRIES.get(random.nextInt(COUNTRIES.size()));
      data.lines.add(String.join("|", id, tier, country, "active"));
      rows.put(id, List.of(tier, country));
    }
    for (int i = 0; i < events; i++) {
      int kind = random.nextInt(RARE);
      String customer = "C%08d".formatted(random.nextInt(customers));
      data.play(
          "E%06d".formatted(i),
          kind == 0 ? null : kind == 1 ? "unknown-" + customer : customer,
          "V%04d".formatted(random.nextInt(5_000)),
          i,
          rows);
    }
    return data;
  }

  private void play(
      String event,
      @Nullable String customer,
      String video,
      int second,
      Map<String, List<String>> customers) {
    plays.add(
        String.format(
            Locale.ROOT,
            "{\"event_id\":\"%s\",\"customer_id\":%s,\"video_id\":\"%s\",\"event_time\":\"2026-01-01 %02d:%02d:%02d.000\"}",
            event,
            customer == null ? "null" : '"' + customer + '"',
            video,
            second / 3600 % 24,
            second / 60 % 60,
            second % 60));
    List<String> row = customer == null ? null : customers.get(customer);
    joined.add(
        row == null
            ? Arrays.asList(event, video, null, null)
            : List.of(event, video, row.get(0), row.get(1)));
  }

  /** A part of the table's file, as Hive writes it. */
  byte[] table(int part, int parts) {
    int from = (int) ((long) lines.size() * part / parts);
    int to = (int) ((long) lines.size() * (part + 1) / parts);
    return (String.join("\n", lines.subList(from, to)) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  /** The records of the topic. */
  List<String> plays() {
    return plays;
  }

  /** The rows that the join must give, in any order. */
  List<List<@Nullable String>> joined() {
    return joined;
  }
}
