package dev.leat.internal.text;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.spi.StoreException;
import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/**
 * How a file is compressed, told by the end of its name as Hadoop's {@code CompressionCodecFactory}
 * tells it.
 */
enum Compression {
  NONE {
    @Override
    InputStream over(InputStream compressed) {
      return compressed;
    }
  },
  GZIP {
    @Override
    InputStream over(InputStream compressed) throws IOException {
      return new GZIPInputStream(compressed, BUFFER);
    }
  },
  DEFLATE {
    @Override
    InputStream over(InputStream compressed) {
      return new InflaterInputStream(compressed, new Inflater(), BUFFER);
    }
  },
  BZIP2 {
    @Override
    InputStream over(InputStream compressed) throws IOException {
      return CommonsCodecs.bzip2(new BufferedInputStream(compressed, BUFFER));
    }
  },
  ZSTD {
    @Override
    InputStream over(InputStream compressed) {
      return AirliftCodecs.zstd(compressed);
    }
  },
  SNAPPY {
    @Override
    InputStream over(InputStream compressed) throws IOException {
      return AirliftCodecs.snappy(compressed);
    }
  },
  LZ4 {
    @Override
    InputStream over(InputStream compressed) throws IOException {
      return AirliftCodecs.lz4(compressed);
    }
  },
  LZO {
    @Override
    InputStream over(InputStream compressed) throws IOException {
      return AirliftCodecs.lzo(compressed);
    }
  };

  private static final int BUFFER = 64 * 1024;
  private static final String BZIP2_LIBRARY = "org.apache.commons:commons-compress";
  private static final String OTHER_LIBRARY = "io.airlift:aircompressor";

  private static final Map<String, Compression> BY_EXTENSION =
      Map.of(
          "gz", GZIP, "deflate", DEFLATE, "bz2", BZIP2, "zst", ZSTD, "snappy", SNAPPY, "lz4", LZ4,
          "lzo", LZO);

  /** Compressed files that would pass for text full of odd characters. */
  private static final List<String> NOT_READ =
      List.of("zip", "xz", "7z", "z", "br", "lzma", "lzo_deflate", "rar", "tar", "tgz");

  /** The compression that a name tells. */
  static Compression of(URI file) {
    String extension = extension(file);
    if (NOT_READ.contains(extension)) {
      throw new LeatException(
          ErrorCode.CODEC_NOT_FOUND,
          "files ending in ."
              + extension
              + " cannot be read ("
              + file
              + "); use plain text or one of "
              + BY_EXTENSION.keySet().stream().sorted().map(e -> "." + e).toList());
    }
    return BY_EXTENSION.getOrDefault(extension, NONE);
  }

  private static String extension(URI file) {
    String path = file.getPath();
    return path.substring(path.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
  }

  /**
   * The content of a compressed stream.
   *
   * @param length how many bytes the compressed stream must have
   * @throws LeatException {@code CODEC_NOT_FOUND} if the library that it takes is not on the class
   *     path
   */
  InputStream decompressed(InputStream compressed, long length, URI file) throws IOException {
    Source source = new Source(compressed, length, file);
    if (this == NONE) {
      return source;
    }
    try {
      return new Content(over(source), source, file);
    } catch (LinkageError e) {
      // Missing, or together with another library that is too old for it.
      throw new LeatException(
          ErrorCode.CODEC_NOT_FOUND,
          "reading "
              + file
              + " takes the library "
              + (this == BZIP2 ? BZIP2_LIBRARY : OTHER_LIBRARY)
              + ", which is not on the class path ("
              + e
              + "); add it to the job",
          e);
    } catch (IOException | RuntimeException e) {
      source.rethrowFailure();
      throw damaged(file, e);
    }
  }

  abstract InputStream over(InputStream compressed) throws IOException;

  /** An {@link IOException}, since the same file may be whole in another tier. */
  private static IOException damaged(URI file, Exception cause) {
    return new IOException(
        file
            + " cannot be decompressed ("
            + cause.getMessage()
            + "): it is cut off, damaged, or its name does not tell its format; write it again",
        cause);
  }

  /**
   * What comes out of the decompressor. Says which file is damaged; a failure of the store passes
   * through.
   */
  private static final class Content extends FilterInputStream {
    private final Source source;
    private final URI file;

    Content(InputStream in, Source source, URI file) {
      super(in);
      this.source = source;
      this.file = file;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      int count;
      try {
        count = in.read(target, offset, length);
      } catch (IOException | RuntimeException e) {
        source.rethrowFailure();
        throw damaged(file, e);
      }
      if (count < 0) {
        source.rethrowFailure();
      }
      return count;
    }
  }

  /**
   * What goes into the decompressor. Never says that nothing is available, since {@link
   * GZIPInputStream} would take that for the end of a file of several members; and remembers a
   * failure of the store, since {@link GZIPInputStream} takes one between two members for the end
   * as well. An end that comes too early is a failure.
   */
  private static final class Source extends InputStream {
    private final InputStream in;
    private final URI file;
    private long missing;
    private @Nullable IOException failure;

    Source(InputStream in, long length, URI file) {
      this.in = in;
      this.missing = length;
      this.file = file;
    }

    void rethrowFailure() throws IOException {
      if (failure != null) {
        throw failure;
      }
    }

    @Override
    public int available() throws IOException {
      return Math.max(1, in.available());
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      try {
        int count = in.read(target, offset, length);
        if (count >= 0) {
          missing -= count;
        } else if (missing > 0) {
          throw new StoreException(
              StoreException.Kind.TRUNCATED,
              file + " ended " + missing + " bytes before the length that was listed",
              null);
        }
        return count;
      } catch (IOException e) {
        failure = e;
        throw e;
      }
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
