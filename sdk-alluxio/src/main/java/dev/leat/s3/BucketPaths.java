package dev.leat.s3;

import dev.leat.spi.Blob;
import dev.leat.spi.StoreException;
import java.net.URI;
import java.util.Arrays;
import org.apache.hadoop.fs.Path;

/**
 * Translates between the URIs of one bucket as the user writes them ({@code s3://}, {@code s3a://},
 * {@code s3n://}) and Hadoop's paths, which are {@code s3a://}.
 */
final class BucketPaths {

  private final String scheme;
  private final String bucket;

  private BucketPaths(String scheme, String bucket) {
    this.scheme = scheme;
    this.bucket = bucket;
  }

  static BucketPaths of(URI location) {
    String bucket = location.getAuthority();
    if (bucket == null || bucket.isEmpty()) {
      throw new IllegalArgumentException(
          "'" + location + "' names no bucket; write s3a://bucket/prefix/");
    }
    if (bucket.contains("@") || bucket.contains(":")) {
      throw new IllegalArgumentException(
          "The location of bucket '"
              + bucket.substring(bucket.indexOf('@') + 1)
              + "' has credentials in it; remove them and see docs/stores.md for where they belong");
    }
    return new BucketPaths(location.getScheme(), bucket);
  }

  URI root() {
    return URI.create("s3a://" + bucket);
  }

  Path path(URI uri) throws StoreException {
    if (!scheme.equals(uri.getScheme()) || !bucket.equals(uri.getAuthority())) {
      throw new StoreException(
          StoreException.Kind.ACCESS_DENIED,
          uri + " is not in " + scheme + "://" + bucket + ", which this store serves",
          null);
    }
    String path = uri.getPath();
    if (Arrays.asList(path.split("/", -1)).contains("..")) {
      throw new StoreException(
          StoreException.Kind.ACCESS_DENIED,
          uri + " has '..' in its path, which S3 does not know",
          null);
    }
    return new Path("s3a", bucket, path.isEmpty() ? "/" : path);
  }

  URI uri(Path path) {
    return Blob.uriOf(scheme, bucket, path.toUri().getPath());
  }
}
