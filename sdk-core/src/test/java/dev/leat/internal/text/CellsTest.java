package dev.leat.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The short ways of the cell parsers beside the long ways of the JDK, on seeded random input. What
 * Hive makes of it is compared in the integration tests.
 */
class CellsTest {
  private static final long SEED = 20_261_129L;
  private static final int CASES = 50_000;

  @Test
  void realNumbersAreThoseOfTheJdkToTheLastBit() {
    Random random = new Random(SEED);
    NumberCells numbers = new NumberCells();
    for (int i = 0; i < CASES; i++) {
      String text = realNumber(random);
      byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
      assertThat(numbers.parseDouble(bytes, 0, bytes.length))
          .as("seed %d: %s", SEED, text)
          .isTrue();
      assertThat(Double.doubleToRawLongBits(numbers.realValue()))
          .as("seed %d: %s", SEED, text)
          .isEqualTo(Double.doubleToRawLongBits(Double.parseDouble(text)));
      assertThat(numbers.parseFloat(bytes, 0, bytes.length)).as("seed %d: %s", SEED, text).isTrue();
      assertThat(Float.floatToRawIntBits((float) numbers.realValue()))
          .as("seed %d: %s", SEED, text)
          .isEqualTo(Float.floatToRawIntBits(Float.parseFloat(text)));
    }
  }

  private static String realNumber(Random random) {
    return switch (random.nextInt(6)) {
      case 0 ->
          Double.toString(
              Double.longBitsToDouble(
                  random.nextLong() & ~(0x7FFL << 52) | ((long) random.nextInt(2047) << 52)));
      case 1 -> Float.toString(random.nextFloat() * random.nextInt(1_000_000));
      case 2 -> Long.toString(random.nextLong() >> random.nextInt(60)) + ".0";
      case 3 -> (random.nextLong() >>> (4 + random.nextInt(50))) + "e" + (random.nextInt(80) - 40);
      case 4 -> "-" + random.nextInt(100_000_000) + "." + random.nextInt(1_000_000_000);
      default ->
          "0."
              + "0".repeat(random.nextInt(25))
              + random.nextInt(1_000_000)
              + "E"
              + random.nextInt(30);
    };
  }

  @Test
  void decimalsAreThoseOfTheJdkRoundedHalfUp() {
    Random random = new Random(SEED);
    DecimalCells decimals = new DecimalCells();
    for (int i = 0; i < CASES; i++) {
      int precision = 1 + random.nextInt(38);
      int scale = random.nextInt(precision + 1);
      String text =
          new BigDecimal(new BigInteger(1 + random.nextInt(120), random), random.nextInt(20))
              .toPlainString();
      text = random.nextBoolean() ? "-" + text : text;
      byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
      BigDecimal expected = new BigDecimal(text).setScale(scale, RoundingMode.HALF_UP);
      boolean fits = expected.signum() == 0 || expected.precision() <= precision;
      assertThat(decimals.parse(bytes, 0, bytes.length, precision, scale))
          .as("seed %d: %s as decimal(%d,%d)", SEED, text, precision, scale)
          .isEqualTo(fits);
      if (fits) {
        byte[] unscaled = decimals.unscaled();
        BigInteger value =
            new BigInteger(
                unscaled, decimals.unscaledStart(), unscaled.length - decimals.unscaledStart());
        assertThat(value)
            .as("seed %d: %s as decimal(%d,%d)", SEED, text, precision, scale)
            .isEqualTo(expected.unscaledValue());
        assertThat(unscaled.length - decimals.unscaledStart())
            .isEqualTo(value.toByteArray().length);
      }
    }
  }

  @Test
  void everyDayOfTenThousandYearsIsItself() {
    TimeCells times = new TimeCells();
    for (long day = LocalDate.of(-1, 1, 1).toEpochDay();
        day < LocalDate.of(9999, 12, 31).toEpochDay();
        day += 13) {
      String text = LocalDate.ofEpochDay(day).toString();
      byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
      assertThat(times.parseDate(bytes, 0, bytes.length)).as(text).isTrue();
      assertThat(times.epochDay()).as(text).isEqualTo(day);
    }
  }

  @Test
  void wellFormedIsWhatTheJdksDecoderTakes() {
    Random random = new Random(SEED);
    byte[] leads = {
      0x41,
      (byte) 0x80,
      (byte) 0xBF,
      (byte) 0xC0,
      (byte) 0xC2,
      (byte) 0xDF,
      (byte) 0xE0,
      (byte) 0xED,
      (byte) 0xEF,
      (byte) 0xF0,
      (byte) 0xF4,
      (byte) 0xF5,
      (byte) 0x9F,
      (byte) 0xA0,
      (byte) 0x8F,
      (byte) 0x90
    };
    for (int i = 0; i < CASES; i++) {
      byte[] bytes = new byte[1 + random.nextInt(6)];
      for (int j = 0; j < bytes.length; j++) {
        bytes[j] =
            random.nextInt(8) == 0 ? (byte) random.nextInt() : leads[random.nextInt(leads.length)];
      }
      boolean expected;
      try {
        StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
        expected = true;
      } catch (CharacterCodingException e) {
        expected = false;
      }
      assertThat(Utf8.isWellFormed(bytes, 0, bytes.length))
          .as("seed %d: %s", SEED, bytes)
          .isEqualTo(expected);
    }
  }

  @Test
  void everyByteOfAWordIsTestedForItself() {
    Random random = new Random(SEED);
    for (int i = 0; i < CASES; i++) {
      byte[] bytes = new byte[Words.BYTES];
      for (int j = 0; j < bytes.length; j++) {
        bytes[j] =
            random.nextBoolean()
                ? (byte) random.nextInt()
                : "|{}\n\u001f \u007f\u0000"
                    .getBytes(StandardCharsets.ISO_8859_1)[random.nextInt(8)];
      }
      long word = Words.at(bytes, 0);
      for (int j = 0; j < bytes.length; j++) {
        long mark = 0x80L << (8 * j);
        assertThat((Words.equal(word, Words.repeated((byte) '|')) & mark) != 0)
            .isEqualTo(bytes[j] == '|');
        assertThat((Words.control(word) & mark) != 0).isEqualTo(bytes[j] >= 0 && bytes[j] < ' ');
      }
      assertThat(Words.equal(word, Words.repeated((byte) '|')) & ~Words.HIGH_BITS).isZero();
    }
  }
}
