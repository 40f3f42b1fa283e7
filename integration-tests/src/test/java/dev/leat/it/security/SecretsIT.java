package dev.leat.it.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leat.testserver.ServerKind;
import dev.leat.testserver.TestServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.alias.CredentialProvider;
import org.apache.hadoop.security.alias.CredentialProviderFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs in processes of their own, each with secrets that nobody may find anywhere afterwards. */
class SecretsIT {
  private static final String ACCESS_KEY = "planted-access-key";
  private static final String SECRET_KEY = "Planted0S3Secret7f3a";
  private static final String WRONG_KEY = "Planted0Wrong0Secret91bc";

  /** Secrets of others that stand in the same configuration of Flink. */
  private static final Map<String, String> OTHERS =
      Map.of(
          "alluxio.security.login.password",
          "Planted0Alluxio0Secret",
          "hive.metastore.token.signature",
          "Planted0Hive0Secret",
          "s3a.session-token-of-another",
          "Planted0Session0Token",
          "security.ssl.rest.key-password",
          "Planted0Flink0Secret");

  @TempDir private Path scratch;
  private TestServer s3 = start(Map.of());

  private static TestServer start(Map<String, String> more) {
    TestServer.Builder server =
        TestServer.of(ServerKind.S3)
            .with("buckets", "lake")
            .with("accessKey", ACCESS_KEY)
            .with("secretKey", SECRET_KEY);
    for (Map.Entry<String, String> each : more.entrySet()) {
      server = server.with(each.getKey(), each.getValue());
    }
    return server.start();
  }

  @AfterEach
  void stop() {
    s3.close();
  }

  private void putRows() throws IOException {
    Path rows = Files.writeString(scratch.resolve("rows.txt"), "1|Ada\n2|Bob\n");
    s3.run("put lake " + rows + " customers/part-0");
  }

  /** What a job left: its output, its log, and all that it wrote. */
  private record Left(int exit, String output, String log, Path directory) {}

  private Left run(
      String name,
      Map<String, String> environment,
      String providerPath,
      List<String> flags,
      String... configuration)
      throws Exception {
    putRows();
    Path directory = Files.createDirectories(scratch.resolve(name));
    Path log = scratch.resolve(name + ".log");
    Path output = scratch.resolve(name + ".out");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx512m", "-XX:+UseSerialGC", "-Djava.net.preferIPv4Stack=true"));
    command.add("-Dorg.slf4j.simpleLogger.log.dev.leat=debug");
    for (String module : List.of("java.lang", "java.util", "java.time", "java.nio", "sun.nio.ch")) {
      command.add("--add-opens=java.base/" + module + "=ALL-UNNAMED");
    }
    command.addAll(flags);
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), SecretiveJob.class.getName()));
    command.addAll(List.of(directory.toString(), s3.property("endpoint"), providerPath));
    command.addAll(Arrays.asList(configuration));
    OTHERS.forEach((key, value) -> command.addAll(List.of(key, value)));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(log.toFile()).redirectOutput(output.toFile());
    builder.environment().keySet().removeIf(key -> key.startsWith("AWS_"));
    builder.environment().putAll(environment);
    int exit = builder.start().waitFor();
    return new Left(
        exit,
        Files.readString(output, StandardCharsets.UTF_8).strip(),
        Files.readString(log, StandardCharsets.UTF_8),
        directory);
  }

  private static void assertJoined(Left left) {
    assertThat(left.exit()).as(left.log()).isZero();
    assertThat(left.output()).isEqualTo("Ada,Bob,none");
    assertThat(left.log()).contains("dev.leat").contains("serving version");
  }

  /** Looks for all secrets in all that a job left behind. */
  private static void assertNothingIsTold(Left left) throws IOException {
    List<String> secrets = new ArrayList<>(OTHERS.values());
    secrets.addAll(List.of(SECRET_KEY, WRONG_KEY));
    List<Path> files;
    try (Stream<Path> all = Files.walk(left.directory())) {
      files = all.filter(Files::isRegularFile).toList();
    }
    assertThat(files)
        .extracting(file -> String.valueOf(file.getFileName()))
        .contains("shown.txt", "dimension.bin", "job-graph.bin", "metrics.txt");
    for (String secret : secrets) {
      assertThat(left.output()).doesNotContain(secret);
      assertThat(left.log().lines().filter(line -> line.contains(secret))).as("the log").isEmpty();
      // Not the content itself into the message: it is long, and no text.
      assertThat(files).as("files that tell %s", secret).noneMatch(file -> tells(file, secret));
    }
  }

  private static boolean tells(Path file, String secret) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1).contains(secret);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void credentialsInFlinksConfigurationReachS3AndNothingElse() throws Exception {
    Left left =
        run(
            "flink",
            Map.of(),
            "-",
            List.of(),
            "s3.access-key",
            ACCESS_KEY,
            "s3.secret-key",
            SECRET_KEY);
    assertJoined(left);
    assertNothingIsTold(left);
    assertThat(Files.isRegularFile(manifest(left.directory()))).isTrue();
  }

  private static Path manifest(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory.resolve("disk"))) {
      return all.filter(file -> file.endsWith("manifest.json")).findFirst().orElseThrow();
    }
  }

  @Test
  void credentialsInTheEnvironmentReachS3AndNothingElse() throws Exception {
    Left left =
        run(
            "environment",
            Map.of("AWS_ACCESS_KEY_ID", ACCESS_KEY, "AWS_SECRET_ACCESS_KEY", SECRET_KEY),
            "-",
            List.of());
    assertJoined(left);
    assertNothingIsTold(left);
  }

  @Test
  void credentialsInAHadoopCredentialFileReachS3AndNothingElse() throws Exception {
    String path = "localjceks://file" + scratch.resolve("s3.jceks");
    Configuration hadoop = new Configuration(false);
    hadoop.set(CredentialProviderFactory.CREDENTIAL_PROVIDER_PATH, path);
    CredentialProvider provider = CredentialProviderFactory.getProviders(hadoop).get(0);
    provider.createCredentialEntry("fs.s3a.access.key", ACCESS_KEY.toCharArray());
    provider.createCredentialEntry("fs.s3a.secret.key", SECRET_KEY.toCharArray());
    provider.flush();

    Left left = run("credential-file", Map.of(), path, List.of());
    assertJoined(left);
    assertNothingIsTold(left);
  }

  @Test
  void wrongCredentialsAreAnErrorThatDoesNotTellThem() throws Exception {
    Left left =
        run(
            "wrong",
            Map.of(),
            "-",
            List.of(),
            "s3.access-key",
            ACCESS_KEY,
            "s3.secret-key",
            WRONG_KEY);
    assertThat(left.exit()).isNotZero();
    assertThat(left.log()).contains("LEAT-2003");
    assertNothingIsTold(left);
  }

  @Test
  void aServerThatSpeaksTlsIsReadIfItsCertificateIsTrusted() throws Exception {
    Path keys = scratch.resolve("server.p12");
    Path certificate = scratch.resolve("server.crt");
    Path trusted = scratch.resolve("trusted.p12");
    String password = "changeit";
    keytool(
        "-genkeypair",
        "-alias",
        "s3",
        "-keyalg",
        "RSA",
        "-keysize",
        "2048",
        "-validity",
        "2",
        "-dname",
        "CN=127.0.0.1",
        "-ext",
        "san=ip:127.0.0.1",
        "-storetype",
        "PKCS12",
        "-keystore",
        keys.toString(),
        "-storepass",
        password);
    keytool(
        "-exportcert",
        "-alias",
        "s3",
        "-keystore",
        keys.toString(),
        "-storepass",
        password,
        "-file",
        certificate.toString());
    keytool(
        "-importcert",
        "-noprompt",
        "-alias",
        "s3",
        "-file",
        certificate.toString(),
        "-storetype",
        "PKCS12",
        "-keystore",
        trusted.toString(),
        "-storepass",
        password);
    s3.close();
    s3 = start(Map.of("keyStore", keys.toString(), "keyStorePassword", password));
    assertThat(s3.property("endpoint")).startsWith("https://");
    String[] credentials = {"s3.access-key", ACCESS_KEY, "s3.secret-key", SECRET_KEY};

    Left left =
        run(
            "trusted",
            Map.of(),
            "-",
            List.of(
                "-Djavax.net.ssl.trustStore=" + trusted,
                "-Djavax.net.ssl.trustStorePassword=" + password),
            credentials);
    assertJoined(left);
    assertNothingIsTold(left);

    Left distrustful = run("untrusted", Map.of(), "-", List.of(), credentials);
    assertThat(distrustful.exit()).isNotZero();
    assertThat(distrustful.log()).contains("LEAT-2").contains("certification path");
    assertNothingIsTold(distrustful);
  }

  private static void keytool(String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
    command.addAll(Arrays.asList(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
  }
}
