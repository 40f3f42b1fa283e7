package dev.leat.flink.internal.coordination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leat.internal.engine.KnownVersion;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CodecTest {
  private static final Activation ACTIVATION =
      new Activation(
          7, new KnownVersion("0123abcd", "9f", Instant.ofEpochSecond(1_700_000_000, 5)), 42);

  @Test
  void whatIsWrittenIsRead() throws Exception {
    assertThat(Codec.activation(Codec.bytes(ACTIVATION))).isEqualTo(ACTIVATION);
    assertThat(Codec.optionalActivation(Codec.bytes(Optional.of(ACTIVATION)))).contains(ACTIVATION);
    assertThat(Codec.optionalActivation(Codec.bytes(Optional.empty()))).isEmpty();
    for (Answer answer :
        new Answer[] {
          new Answer.Lead(),
          new Answer.Wait(),
          new Answer.Begin(ACTIVATION, Optional.empty(), false),
          new Answer.Begin(ACTIVATION, Optional.of(ACTIVATION), true)
        }) {
      assertThat(WireAnswer.unwrap(WireAnswer.wrap(answer))).isEqualTo(answer);
    }
  }

  /** Bytes that stand in savepoints: whoever changes the format has to read these, too. */
  @Test
  void theFirstFormatStaysReadable() {
    byte[] written =
        HexFormat.of()
            .parseHex(
                "00000001"
                    + "0000000000000007"
                    + "000000000000002a"
                    + "0008"
                    + "3031323361626364"
                    + "0002"
                    + "3966"
                    + "000000006553f100"
                    + "00000005");
    assertThat(Codec.activation(written)).isEqualTo(ACTIVATION);
    assertThat(Codec.bytes(ACTIVATION)).isEqualTo(written);
  }

  @Test
  void whatIsNoStateIsRefusedWithTheReason() {
    byte[] bytes = Codec.bytes(ACTIVATION);
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> Codec.activation(cut)).isInstanceOf(UncheckedIOException.class);
    }
    assertThatThrownBy(() -> Codec.activation(Arrays.copyOf(bytes, bytes.length + 1)))
        .hasMessageContaining("more behind");
    byte[] newer = bytes.clone();
    newer[3] = 2;
    assertThatThrownBy(() -> Codec.activation(newer))
        .hasMessageContaining("format is 2")
        .hasMessageContaining("newer one");
  }
}
