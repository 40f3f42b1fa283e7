package dev.leat.parquet;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import io.airlift.compress.lz4.Lz4Decompressor;
import io.airlift.compress.snappy.SnappyDecompressor;
import io.airlift.compress.zstd.ZstdDecompressor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.GZIPInputStream;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/**
 * The decompressors of pages in pure Java, since those of the library take Hadoop's configuration
 * and native code. One per thread.
 */
final class Codecs implements CompressionCodecFactory {

  @Override
  public BytesInputDecompressor getDecompressor(CompressionCodecName codec) {
    return switch (codec) {
      case UNCOMPRESSED -> new Pages((in, out) -> System.arraycopy(in, 0, out, 0, out.length));
      case SNAPPY ->
          new Pages(
              (in, out) ->
                  new SnappyDecompressor().decompress(in, 0, in.length, out, 0, out.length));
      case ZSTD ->
          new Pages(
              (in, out) -> new ZstdDecompressor().decompress(in, 0, in.length, out, 0, out.length));
      case LZ4_RAW ->
          new Pages(
              (in, out) -> new Lz4Decompressor().decompress(in, 0, in.length, out, 0, out.length));
      case GZIP -> new Pages(Codecs::gunzip);
      default ->
          throw new LeatException(
              ErrorCode.CODEC_NOT_FOUND,
              "pages compressed with "
                  + codec
                  + " cannot be read; write the files with snappy, gzip, zstd or LZ4_RAW");
    };
  }

  private static void gunzip(byte[] in, byte[] out) throws IOException {
    try (GZIPInputStream stream = new GZIPInputStream(new ByteArrayInputStream(in))) {
      if (stream.readNBytes(out, 0, out.length) < out.length) {
        throw new IOException("a page ends before its " + out.length + " bytes");
      }
    }
  }

  @Override
  public BytesInputCompressor getCompressor(CompressionCodecName codec) {
    throw new UnsupportedOperationException("nothing is written");
  }

  @Override
  public void release() {}

  private interface Decompressor {
    void decompress(byte[] in, byte[] out) throws IOException;
  }

  private record Pages(Decompressor decompressor) implements BytesInputDecompressor {
    @Override
    public BytesInput decompress(BytesInput bytes, int uncompressedSize) throws IOException {
      byte[] in = bytes.toInputStream().readAllBytes();
      byte[] out = new byte[uncompressedSize];
      decompressor.decompress(in, out);
      return BytesInput.from(out);
    }

    @Override
    public void decompress(
        ByteBuffer input, int compressedSize, ByteBuffer output, int uncompressedSize)
        throws IOException {
      byte[] in = new byte[compressedSize];
      input.get(in);
      byte[] out = new byte[uncompressedSize];
      decompressor.decompress(in, out);
      output.put(out);
    }

    @Override
    public void release() {}
  }
}
