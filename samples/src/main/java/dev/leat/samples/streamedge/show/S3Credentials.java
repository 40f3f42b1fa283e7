package dev.leat.samples.streamedge.show;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.alias.CredentialProvider;
import org.apache.hadoop.security.alias.CredentialProviderFactory;

/**
 * Keeps the keys of the S3 server where Hadoop looks for them, so that neither the job nor its
 * arguments have them: {@code hadoop credential create} does the same.
 */
final class S3Credentials {

  private S3Credentials() {}

  /** Stores the keys, and gives the path of the credential provider that has them. */
  static String store(Path directory, String accessKey, String secretKey) throws IOException {
    String path = "localjceks://file" + directory.resolve("s3.jceks");
    Configuration configuration = new Configuration(false);
    configuration.set(CredentialProviderFactory.CREDENTIAL_PROVIDER_PATH, path);
    CredentialProvider provider = CredentialProviderFactory.getProviders(configuration).get(0);
    provider.createCredentialEntry("fs.s3a.access.key", accessKey.toCharArray());
    provider.createCredentialEntry("fs.s3a.secret.key", secretKey.toCharArray());
    provider.flush();
    return path;
  }
}
