package dev.leat.benchmarks;

import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;

/**
 * What {@code --keys} chooses: the table, by its key, and the order in which keys are asked for.
 */
enum KeyKind {
  IDS(TextCustomers.Ids::new),
  UUID(TextCustomers.Uuids::new),
  INTEGER(IntegerCustomers::new),
  COMPOSITE(CompositeCustomers::new),
  TPCDS(TpcdsCustomers::new),
  ZIPF(ZipfIds::new);

  private final LongFunction<Dataset<?, ?>> table;

  KeyKind(LongFunction<Dataset<?, ?>> table) {
    this.table = table;
  }

  static KeyKind of(String name) {
    return Arrays.stream(values())
        .filter(kind -> kind.label().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "there are no --keys '"
                        + name
                        + "'; there are "
                        + Arrays.stream(values()).map(KeyKind::label).toList()));
  }

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  Dataset<?, ?> table(long rows) {
    return table.apply(rows);
  }

  /** The reference table under a stream in which few keys come often. */
  private static final class ZipfIds extends TextCustomers.Ids {
    /** Any prime beyond the most rows there can be. */
    private static final long SCATTER = 2_147_483_647L;

    ZipfIds(long rows) {
      super(rows);
    }

    @Override
    LongSupplier stream(Random random) {
      ZipfStream ranks = new ZipfStream(rows(), random);
      // Scattered over the table, so that popular rows are no neighbours.
      return () -> ranks.getAsLong() * SCATTER % rows();
    }
  }
}
