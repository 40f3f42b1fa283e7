package dev.leat.internal.text;

import io.airlift.compress.lz4.Lz4HadoopStreams;
import io.airlift.compress.lzo.LzopHadoopStreams;
import io.airlift.compress.snappy.SnappyHadoopStreams;
import io.airlift.compress.zstd.ZstdInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * What takes the optional library {@code io.airlift:aircompressor}. A class of its own, so that the
 * others can be loaded and verified where the library is missing; here its absence shows as a
 * {@link NoClassDefFoundError}.
 */
final class AirliftCodecs {
  private AirliftCodecs() {}

  static InputStream zstd(InputStream compressed) {
    return new ZstdInputStream(compressed);
  }

  static InputStream snappy(InputStream compressed) throws IOException {
    return new SnappyHadoopStreams().createInputStream(compressed);
  }

  static InputStream lz4(InputStream compressed) throws IOException {
    return new Lz4HadoopStreams().createInputStream(compressed);
  }

  static InputStream lzo(InputStream compressed) throws IOException {
    return new LzopHadoopStreams().createInputStream(compressed);
  }
}
