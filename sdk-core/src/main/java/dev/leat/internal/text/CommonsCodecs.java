package dev.leat.internal.text;

import java.io.IOException;
import java.io.InputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;

/**
 * What takes the optional library {@code org.apache.commons:commons-compress}, as {@link
 * AirliftCodecs} its own.
 */
final class CommonsCodecs {
  private CommonsCodecs() {}

  /** All streams of a file: tools that compress in parallel write many. */
  static InputStream bzip2(InputStream compressed) throws IOException {
    return new BZip2CompressorInputStream(compressed, true);
  }
}
