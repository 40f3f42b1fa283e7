package dev.leat.testserver.s3;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.gaul.s3proxy.blobstore.BlobStore;
import org.gaul.s3proxy.blobstore.ForwardingBlobStore;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.services.s3.model.CopyObjectRequest;
import software.amazon.awssdk.services.s3.model.CopyObjectResponse;
import software.amazon.awssdk.services.s3.model.DeleteObjectRequest;
import software.amazon.awssdk.services.s3.model.DeleteObjectResponse;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectRequest;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Object;

/** A blob store that commits {@link Faults}, and whose listings can be out of date. */
final class FaultyBlobStore extends ForwardingBlobStore {

  private final Faults faults;
  private volatile @Nullable Frozen frozen;

  /** What listings below a prefix show. */
  private record Frozen(String bucket, String prefix, List<S3Object> objects) {

    boolean covers(ListObjectsV2Request request) {
      return bucket.equals(request.bucket())
          && request.prefix() != null
          && request.prefix().startsWith(prefix);
    }

    ListObjectsV2Response answer(ListObjectsV2Request request) {
      List<S3Object> shown =
          objects.stream().filter(each -> each.key().startsWith(request.prefix())).toList();
      return ListObjectsV2Response.builder()
          .name(bucket)
          .prefix(request.prefix())
          .contents(shown)
          .keyCount(shown.size())
          .isTruncated(false)
          .build();
    }
  }

  FaultyBlobStore(BlobStore files, Faults faults) {
    super(files);
    this.faults = faults;
  }

  @Override
  public ListObjectsV2Response list(ListObjectsV2Request request) {
    faults.strike("LIST", request.prefix());
    Frozen old = frozen;
    return old != null && old.covers(request) ? old.answer(request) : super.list(request);
  }

  /** Listings below a prefix show from now on what is there now; answers with how much that is. */
  String freeze(String bucket, String prefix) {
    List<S3Object> objects =
        super.list(ListObjectsV2Request.builder().bucket(bucket).prefix(prefix).build()).contents();
    frozen = new Frozen(bucket, prefix, objects);
    return Integer.toString(objects.size());
  }

  /** Listings are up to date again. */
  void thaw() {
    frozen = null;
  }

  @Override
  public HeadObjectResponse blobMetadata(HeadObjectRequest request) {
    faults.strike("HEAD", request.key());
    return super.blobMetadata(request);
  }

  @Override
  public ResponseInputStream<GetObjectResponse> getBlob(GetObjectRequest request) {
    Fault reset = faults.strike("GET", request.key());
    ResponseInputStream<GetObjectResponse> content = super.getBlob(request);
    return reset == null
        ? content
        : new ResponseInputStream<>(
            content.response(), new BreakingStream(content, reset.afterBytes()));
  }

  @Override
  public PutObjectResponse putBlob(PutObjectRequest request, InputStream content) {
    faults.strike("PUT", request.key());
    return super.putBlob(request, content);
  }

  @Override
  public CopyObjectResponse copyBlob(CopyObjectRequest request) {
    faults.strike("PUT", request.destinationKey());
    return super.copyBlob(request);
  }

  @Override
  public DeleteObjectResponse removeBlob(DeleteObjectRequest request) {
    faults.strike("DELETE", request.key());
    return super.removeBlob(request);
  }

  /** Fails after some bytes, so that the server breaks the connection. */
  private static final class BreakingStream extends FilterInputStream {

    private long left;

    BreakingStream(InputStream in, long left) {
      super(in);
      this.left = left;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte @Nullable [] target, int offset, int length) throws IOException {
      if (left <= 0) {
        throw new IOException("the connection breaks here, as the fault says");
      }
      int read = super.read(target, offset, (int) Math.min(length, left));
      left -= Math.max(0, read);
      return read;
    }
  }
}
