package dev.leat.internal.engine.source;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A SHA-256 over a sequence of texts and numbers. Each text goes in with its length, so that no two
 * sequences look the same.
 */
final class Fingerprint {
  private final MessageDigest digest;

  Fingerprint() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  Fingerprint add(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    add(bytes.length);
    digest.update(bytes);
    return this;
  }

  Fingerprint add(long number) {
    digest.update(ByteBuffer.allocate(Long.BYTES).putLong(number).array());
    return this;
  }

  /** The digest in hexadecimal digits. Ends the sequence. */
  String hex() {
    return HexFormat.of().formatHex(digest.digest());
  }
}
