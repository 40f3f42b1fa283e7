package dev.leat.it.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import alluxio.conf.PropertyKey;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * The jar that users drop into Flink's lib folder: nothing in it can be found under a name that
 * something else of the cluster may have, and what was renamed still works.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConnectorJarIT {

  private static final String SHADED = "dev/leat/shaded/";

  /** What is found by a name that is not ours, each with the reason. */
  private static final List<Pattern> OTHER_FILES =
      Stream.of(
              "META-INF/MANIFEST\\.MF",
              "META-INF/LICENSE",
              "META-INF/NOTICE",
              "META-INF/licenses/LICENSE\\.[a-z0-9-]+",
              "META-INF/services/dev\\.leat\\..+",
              // Flink finds connectors and catalogs by it.
              "META-INF/services/org\\.apache\\.flink\\.table\\.factories\\.Factory",
              // Netty looks for its library by this name, made from its package.
              "META-INF/native/libdev_leat_shaded_netty_transport_native_epoll_\\w+\\.so",
              // Hadoop's, under another name than a Hadoop of the cluster looks for.
              "dev\\.leat\\.shaded\\.core-default\\.xml",
              // The web's own list of domains; whoever finds ours finds what he looked for.
              "mozilla/public-suffix-list\\.txt",
              "dev/leat/.+")
          .map(Pattern::compile)
          .toList();

  private final Map<String, byte[]> files = new TreeMap<>();
  private final List<String> names = new ArrayList<>();
  private URLClassLoader alone;

  @BeforeAll
  void readTheJar() throws IOException {
    Path jar = ConnectorJar.path();
    try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(jar))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        if (!entry.isDirectory()) {
          names.add(entry.getName());
          files.put(entry.getName(), zip.readAllBytes());
        }
      }
    }
    // Sees the JDK and slf4j, as a cluster without Hadoop has them.
    alone = new URLClassLoader(new URL[] {jar.toUri().toURL()}, onlySlf4j());
    print(jar);
  }

  @AfterAll
  void closeTheLoader() throws IOException {
    alone.close();
  }

  private static ClassLoader onlySlf4j() {
    ClassLoader tests = ConnectorJarIT.class.getClassLoader();
    return new ClassLoader(ClassLoader.getPlatformClassLoader()) {
      @Override
      protected Class<?> findClass(String name) throws ClassNotFoundException {
        if (name.startsWith("org.slf4j.")) {
          return tests.loadClass(name);
        }
        throw new ClassNotFoundException(name);
      }
    };
  }

  private static void print(Path jar) throws IOException {
    Map<String, long[]> packages = new TreeMap<>();
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      zip.stream()
          .filter(entry -> entry.getName().endsWith(".class"))
          .forEach(
              entry -> {
                long[] sum =
                    packages.computeIfAbsent(groupOf(entry.getName()), group -> new long[2]);
                sum[0]++;
                sum[1] += entry.getCompressedSize();
              });
    }
    System.out.printf(
        "%s: %,d KiB, %,d classes%n",
        jar.getFileName(),
        Files.size(jar) / 1024,
        packages.values().stream().mapToLong(sum -> sum[0]).sum());
    packages.forEach(
        (group, sum) -> System.out.printf("%,8d KiB %,6d %s%n", sum[1] / 1024, sum[0], group));
  }

  /** Two levels below dev.leat.shaded, one below dev.leat. */
  private static String groupOf(String name) {
    String[] parts = name.split("/");
    int depth = name.startsWith(SHADED) ? parts[3].matches("org|com|io|software") ? 6 : 4 : 3;
    return Stream.of(parts)
        .limit(Math.min(depth, parts.length - 1))
        .collect(Collectors.joining("."));
  }

  @Test
  void noFileIsInItTwice() {
    assertThat(names).doesNotHaveDuplicates();
  }

  @Test
  void noTwoOfItsPartsBringTheSameClass() throws IOException {
    Map<String, Set<String>> origins = new HashMap<>();
    for (String part : bundled()) {
      for (String name : classesOf(Path.of(part))) {
        origins.computeIfAbsent(name, any -> new TreeSet<>()).add(part);
      }
    }
    origins.values().removeIf(parts -> parts.size() == 1);

    assertThat(origins).isEmpty();
  }

  private static List<String> bundled() throws IOException {
    String classPath = Files.readString(ConnectorJar.target().resolve("bundled.classpath"));
    return List.of(classPath.strip().split(File.pathSeparator));
  }

  private static List<String> classesOf(Path part) throws IOException {
    if (Files.isDirectory(part)) {
      try (Stream<Path> walk = Files.walk(part)) {
        return walk.map(file -> part.relativize(file).toString())
            .filter(ConnectorJarIT::counts)
            .toList();
      }
    }
    try (ZipFile zip = new ZipFile(part.toFile())) {
      return zip.stream().map(ZipEntry::getName).filter(ConnectorJarIT::counts).toList();
    }
  }

  private static boolean counts(String name) {
    return name.endsWith(".class")
        && !name.startsWith("META-INF/")
        && !name.endsWith("module-info.class")
        && !name.endsWith("package-info.class");
  }

  @Test
  void everyClassIsBelowOurName() {
    assertThat(files.keySet())
        .filteredOn(name -> name.endsWith(".class"))
        .hasSizeGreaterThan(1000)
        .allMatch(name -> name.startsWith("dev/leat/"));
  }

  @Test
  void everyOtherFileHasAReasonToBeFound() {
    assertThat(files.keySet())
        .filteredOn(name -> !name.endsWith(".class"))
        .allMatch(name -> OTHER_FILES.stream().anyMatch(p -> p.matcher(name).matches()));
  }

  @Test
  void neitherFlinkNorALogNorTestsAreInIt() {
    assertThat(files.keySet())
        .noneMatch(
            name ->
                name.contains("org/apache/flink/")
                    || name.contains("org/slf4j/")
                    || name.contains("StaticLoggerBinder")
                    || name.contains("org/apache/log4j/")
                    || name.contains("org/apache/logging/")
                    || name.contains("ch/qos/")
                    || name.contains("dev/leat/testkit/")
                    || name.contains("org/junit/"));
  }

  @Test
  void everyServiceNamesClassesThatAreInIt() {
    Map<String, List<String>> missing = new TreeMap<>();
    files.forEach(
        (name, content) -> {
          if (name.startsWith("META-INF/services/")) {
            List<String> absent =
                new String(content, UTF_8)
                    .lines()
                    .map(line -> line.replaceFirst("#.*", "").strip())
                    .filter(line -> !line.isEmpty() && !contains(line))
                    .toList();
            if (!absent.isEmpty()) {
              missing.put(name, absent);
            }
          }
        });

    assertThat(missing).isEmpty();
  }

  private boolean contains(String className) {
    return files.containsKey(className.replace('.', '/') + ".class");
  }

  @Test
  void filesThatNameClassesNameThemAsTheyAreHere() throws Exception {
    Pattern known = Pattern.compile("(?<![\\w.])(?:org\\.apache\\.hadoop|software\\.amazon)\\.\\w");
    files.forEach(
        (name, content) -> {
          if (name.matches(".*\\.(?:xml|interceptors|properties)")) {
            assertThat(known.matcher(new String(content, UTF_8)).results().map(r -> r.group()))
                .as(name)
                .isEmpty();
          }
        });
    String interceptors = SHADED + "software/amazon/awssdk/services/s3/execution.interceptors";
    assertThat(new String(files.get(interceptors), UTF_8).lines().filter(l -> !l.isBlank()))
        .isNotEmpty()
        .allMatch(this::contains);
  }

  /** What others call something, a metastore its serdes say, must not be renamed in our classes. */
  @Test
  void ourOwnClassesNameNoRenamedClassThatIsNotThere() {
    // With a colon behind it, it is a library in a message; with a dash, the name of a file.
    Pattern renamed = Pattern.compile("dev\\.leat\\.shaded\\.[\\w.$]*\\w(?![\\w.$:-])");
    Set<String> absent = new TreeSet<>();
    files.forEach(
        (name, content) -> {
          if (name.startsWith("dev/leat/") && !name.startsWith(SHADED)) {
            renamed
                .matcher(new String(content, ISO_8859_1))
                .results()
                .map(result -> result.group())
                .filter(type -> !contains(type))
                .forEach(absent::add);
          }
        });

    assertThat(absent).isEmpty();
  }

  @Test
  void hadoopsDefaultsAreThose() throws Exception {
    Class<?> type = alone.loadClass("dev.leat.shaded.org.apache.hadoop.conf.Configuration");
    Object relocated = type.getConstructor().newInstance();
    type.getMethod("setClassLoader", ClassLoader.class).invoke(relocated, alone);
    Map<String, String> actual = new TreeMap<>();
    for (Object entry : (Iterable<?>) relocated) {
      Map.Entry<?, ?> property = (Map.Entry<?, ?>) entry;
      actual.put(
          (String) property.getKey(),
          ((String) property.getValue()).replace("dev.leat.shaded.", ""));
    }
    Map<String, String> expected = new TreeMap<>();
    for (Map.Entry<String, String> entry : new Configuration()) {
      expected.put(entry.getKey(), entry.getValue());
    }

    assertThat(actual).isEqualTo(expected);
    assertThat(type.getMethod("get", String.class).invoke(relocated, "fs.s3a.impl"))
        .isEqualTo("dev.leat.shaded.org.apache.hadoop.fs.s3a.S3AFileSystem");
  }

  @Test
  void alluxiosPropertiesHaveTheNamesThatTheServersKnow() throws Exception {
    Class<?> type = alone.loadClass("dev.leat.shaded.alluxio.conf.PropertyKey");
    Collection<?> keys = (Collection<?>) type.getMethod("defaultKeys").invoke(null);

    assertThat(keys.stream().map(Object::toString))
        .containsExactlyInAnyOrderElementsOf(
            PropertyKey.defaultKeys().stream().map(Object::toString).toList());
  }

  @Test
  void alluxiosServicesHaveTheNamesThatTheServersKnow() throws Exception {
    Pattern stub = Pattern.compile(SHADED + "(alluxio/grpc/[^$]+Grpc)\\.class");
    int compared = 0;
    for (String name : files.keySet()) {
      Matcher matcher = stub.matcher(name);
      if (matcher.matches()) {
        String original = matcher.group(1).replace('/', '.');
        assertThat(serviceName(alone, "dev.leat.shaded." + original))
            .isEqualTo(serviceName(getClass().getClassLoader(), original));
        compared++;
      }
    }
    assertThat(compared).isGreaterThan(5);
  }

  private static Object serviceName(ClassLoader loader, String type) throws Exception {
    return loader.loadClass(type).getField("SERVICE_NAME").get(null);
  }

  @Test
  void nettyFindsItsOwnLibrary() throws Exception {
    Class<?> epoll = alone.loadClass("dev.leat.shaded.io.netty.channel.epoll.Epoll");

    epoll.getMethod("ensureAvailability").invoke(null);
  }

  @Test
  void theNoticeListsWhatIsBundled() throws IOException {
    Pattern jar = Pattern.compile(".*/([^/]+)/([^/]+)/\\1-\\2(?:-[^/]+)?\\.jar");
    Set<String> expected = new TreeSet<>();
    for (String part : bundled()) {
      Matcher matcher = jar.matcher(part);
      if (matcher.matches() && !LEFT_OUT.contains(matcher.group(1))) {
        expected.add(matcher.group(1) + ":" + matcher.group(2));
      }
    }
    Set<String> listed =
        new String(files.get("META-INF/NOTICE"), UTF_8)
            .lines()
            .filter(line -> line.startsWith("- "))
            .map(line -> line.replaceFirst("- [^:]+:", ""))
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(listed).isEqualTo(expected);
  }

  /** Annotations only, and slf4j, which the cluster has. */
  private static final Set<String> LEFT_OUT =
      Set.of(
          "slf4j-api",
          "jspecify",
          "jsr305",
          "error_prone_annotations",
          "listenablefuture",
          "checker-qual",
          "animal-sniffer-annotations",
          "annotations");

  @Test
  void theManifestNamesNoVersionsOfOtherJavas() throws IOException {
    assertThat(
            new java.util.jar.Manifest(new ByteArrayInputStream(files.get("META-INF/MANIFEST.MF")))
                .getMainAttributes()
                .getValue("Multi-Release"))
        .isNull();
  }
}
