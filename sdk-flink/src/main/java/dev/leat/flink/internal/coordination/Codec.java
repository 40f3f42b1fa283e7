package dev.leat.flink.internal.coordination;

import dev.leat.internal.engine.KnownVersion;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Optional;

/**
 * The bytes of what outlives a run, the state of the operator and of its coordinator, and of
 * answers, which a TaskManager takes off the wire without the classes of the job. A number in front
 * says how the rest is to be read.
 */
final class Codec {
  private static final int FORMAT = 1;
  private static final int LEAD = 1;
  private static final int WAIT = 2;
  private static final int BEGIN = 3;

  private Codec() {}

  @FunctionalInterface
  private interface Writing {
    void to(DataOutputStream out) throws IOException;
  }

  @FunctionalInterface
  private interface Reading<T> {
    T from(DataInputStream in) throws IOException;
  }

  static byte[] bytes(Activation activation) {
    return write(out -> write(activation, out));
  }

  static Activation activation(byte[] bytes) {
    return read(bytes, Codec::readActivation);
  }

  static byte[] bytes(Optional<Activation> activation) {
    return write(out -> write(activation, out));
  }

  static Optional<Activation> optionalActivation(byte[] bytes) {
    return read(bytes, Codec::readOptional);
  }

  static byte[] bytes(Answer answer) {
    return write(
        out -> {
          if (answer instanceof Answer.Begin begin) {
            out.writeByte(BEGIN);
            write(begin.first(), out);
            write(begin.next(), out);
            out.writeBoolean(begin.promised());
          } else {
            out.writeByte(answer instanceof Answer.Lead ? LEAD : WAIT);
          }
        });
  }

  static Answer answer(byte[] bytes) {
    return read(
        bytes,
        in -> {
          int kind = in.readByte();
          return switch (kind) {
            case LEAD -> new Answer.Lead();
            case WAIT -> new Answer.Wait();
            case BEGIN -> new Answer.Begin(readActivation(in), readOptional(in), in.readBoolean());
            default -> throw new IOException("an answer of the unknown kind " + kind);
          };
        });
  }

  private static void write(Activation activation, DataOutputStream out) throws IOException {
    out.writeLong(activation.number());
    out.writeLong(activation.checkpoint());
    out.writeUTF(activation.version().id());
    out.writeUTF(activation.version().fingerprint());
    Instant seen = activation.version().seen();
    out.writeLong(seen.getEpochSecond());
    out.writeInt(seen.getNano());
  }

  private static Activation readActivation(DataInputStream in) throws IOException {
    long number = in.readLong();
    long checkpoint = in.readLong();
    KnownVersion version =
        new KnownVersion(
            in.readUTF(), in.readUTF(), Instant.ofEpochSecond(in.readLong(), in.readInt()));
    return new Activation(number, version, checkpoint);
  }

  private static void write(Optional<Activation> activation, DataOutputStream out)
      throws IOException {
    out.writeBoolean(activation.isPresent());
    if (activation.isPresent()) {
      write(activation.get(), out);
    }
  }

  private static Optional<Activation> readOptional(DataInputStream in) throws IOException {
    return in.readBoolean() ? Optional.of(readActivation(in)) : Optional.empty();
  }

  private static byte[] write(Writing content) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(FORMAT);
      content.to(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static <T> T read(byte[] bytes, Reading<T> content) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      int format = in.readInt();
      if (format != FORMAT) {
        throw new IOException(
            "its format is "
                + format
                + " and this release of Leat reads "
                + FORMAT
                + "; restore it with the release that wrote it, or a newer one");
      }
      T value = content.from(in);
      if (in.read() >= 0) {
        throw new IOException("there is more behind its end");
      }
      return value;
    } catch (IOException e) {
      throw new UncheckedIOException(
          "the state of a Leat join cannot be read: " + e.getMessage(), e);
    }
  }
}
