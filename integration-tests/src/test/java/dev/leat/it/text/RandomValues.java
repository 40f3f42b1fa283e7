package dev.leat.it.text;

import dev.leat.format.ColumnType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Makes values of types as objects, for the writers of columnar files. */
final class RandomValues {
  /** From 1583 on, so that no calendar matters; other days have tests of their own. */
  private static final long FIRST_DAY = LocalDate.of(1583, 1, 1).toEpochDay();

  private static final long LAST_DAY = LocalDate.of(9999, 12, 31).toEpochDay();

  private final Random random;

  RandomValues(Random random) {
    this.random = random;
  }

  @Nullable Object orNull(ColumnType type) {
    return random.nextInt(8) == 0 ? null : value(type);
  }

  Object value(ColumnType type) {
    return switch (type.kind()) {
      case BOOLEAN -> random.nextBoolean();
      case TINYINT -> (byte) random.nextInt();
      case SMALLINT -> (short) random.nextInt();
      case INT -> random.nextInt() >> random.nextInt(32);
      case BIGINT -> random.nextLong() >> random.nextInt(64);
      case FLOAT -> random.nextInt(20) == 0 ? Float.NaN : (float) random.nextGaussian();
      case DOUBLE ->
          random.nextInt(20) == 0 ? Double.NEGATIVE_INFINITY : random.nextGaussian() * 1e9;
      case DECIMAL ->
          new BigDecimal(
              new BigInteger(1 + random.nextInt(130), random)
                  .mod(BigInteger.TEN.pow(1 + random.nextInt(type.precision())))
                  .multiply(BigInteger.valueOf(random.nextBoolean() ? 1 : -1)),
              type.scale());
      case STRING -> text(12);
      case CHAR, VARCHAR -> text(Math.min(12, type.precision()));
      case DATE ->
          LocalDate.ofEpochDay(FIRST_DAY + (long) (random.nextDouble() * (LAST_DAY - FIRST_DAY)));
      case TIMESTAMP ->
          LocalDateTime.ofEpochSecond(
              random.nextInt() * 2L,
              random.nextBoolean() ? 0 : random.nextInt(1_000_000) * 1_000,
              ZoneOffset.UTC);
      case BINARY -> {
        byte[] bytes = new byte[random.nextInt(9)];
        random.nextBytes(bytes);
        yield bytes;
      }
      case ARRAY -> {
        List<@Nullable Object> list = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          list.add(orNull(type.element()));
        }
        yield list;
      }
      case MAP -> {
        Map<Object, @Nullable Object> map = new LinkedHashMap<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          map.put(value(type.key()), orNull(type.value()));
        }
        yield map;
      }
      case STRUCT -> {
        List<@Nullable Object> fields = new ArrayList<>();
        type.fields().forEach(field -> fields.add(orNull(field.type())));
        yield fields;
      }
    };
  }

  private String text(int most) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(most + 1); i > 0; i--) {
      text.append(
          switch (random.nextInt(8)) {
            case 0 -> "ü";
            case 1 -> "€";
            case 2 -> "😀";
            default -> String.valueOf((char) ('a' + random.nextInt(26)));
          });
    }
    return text.toString();
  }
}
