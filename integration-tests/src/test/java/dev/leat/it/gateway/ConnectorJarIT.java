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
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The jars that users drop into Flink's lib folder: nothing in them can be found under a name that
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
              "META-INF/bundled-licenses/LICENSE\\.[a-z0-9-]+",
              "META-INF/services/dev\\.leat\\..+",
              // Flink finds connectors and catalogs by it.
              "META-INF/services/org\\.apache\\.flink\\.table\\.factories\\.Factory",
              // Netty looks for its library by this name, made from its package.
              "META-INF/native/libdev_leat_shaded_netty_transport_native_epoll_\\w+\\.so",
              // Hadoop's, under another name than a Hadoop of the cluster looks for.
              "dev\\.leat\\.shaded\\.core-default\\.xml",
              "common-of-leat-version-info\\.properties",
              // The web's own list of domains; whoever finds ours finds what he looked for.
              "mozilla/public-suffix-list\\.txt",
              "dev/leat/.+")
          .map(Pattern::compile)
          .toList();

  private final Map<SqlJar, Content> jars = new EnumMap<>(SqlJar.class);

  /** What the tests of the connector alone look into. */
  private Map<String, byte[]> files;

  private URLClassLoader alone;

  /**
   * What is in a jar.
   *
   * @param names its entries in order, those too that come twice
   * @param files its files
   */
  private record Content(List<String> names, Map<String, byte[]> files) {

    static Content of(Path jar) throws IOException {
      List<String> names = new ArrayList<>();
      Map<String, byte[]> files = new TreeMap<>();
      try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(jar))) {
        for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
          if (!entry.isDirectory()) {
            names.add(entry.getName());
            files.put(entry.getName(), zip.readAllBytes());
          }
        }
      }
      return new Content(names, files);
    }

    boolean contains(String className) {
      return files.containsKey(className.replace('.', '/') + ".class");
    }

    String text(String name) {
      return new String(files.get(name), UTF_8);
    }
  }

  @BeforeAll
  void readTheJars() throws IOException {
    for (SqlJar jar : SqlJar.values()) {
      jars.put(jar, Content.of(jar.path()));
      print(jar.path());
    }
    files = jars.get(SqlJar.CONNECTOR).files();
    // Sees the JDK and slf4j, as a cluster without Hadoop has them.
    alone = new URLClassLoader(new URL[] {SqlJar.CONNECTOR.path().toUri().toURL()}, onlySlf4j());
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

  @ParameterizedTest
  @EnumSource
  void noFileIsInItTwice(SqlJar jar) {
    assertThat(jars.get(jar).names()).doesNotHaveDuplicates();
  }

  @Test
  void noTwoOfThemHaveTheSameClass() {
    List<String> all =
        jars.values().stream()
            .flatMap(content -> content.files().keySet().stream())
            .filter(ConnectorJarIT::counts)
            .toList();

    assertThat(all).doesNotHaveDuplicates();
  }

  /** What each part of the Parquet library brings for itself is the same in all of them. */
  @ParameterizedTest
  @EnumSource
  void noTwoOfItsPartsBringTheSameClass(SqlJar jar) throws IOException {
    Map<String, Map<String, Integer>> origins = new HashMap<>();
    for (String part : jar.parts()) {
      classesOf(Path.of(part))
          .forEach(
              (name, hash) ->
                  origins.computeIfAbsent(name, any -> new TreeMap<>()).put(part, hash));
    }
    origins
        .entrySet()
        .removeIf(
            origin ->
                origin.getValue().size() == 1
                    || origin.getKey().startsWith("shaded/parquet/it/unimi/")
                        && Set.copyOf(origin.getValue().values()).size() == 1);

    assertThat(origins).isEmpty();
  }

  /** The classes and hashes of what is in them. */
  private static Map<String, Integer> classesOf(Path part) throws IOException {
    Map<String, Integer> classes = new HashMap<>();
    if (Files.isDirectory(part)) {
      try (Stream<Path> walk = Files.walk(part)) {
        for (Path file : (Iterable<Path>) walk::iterator) {
          String name = part.relativize(file).toString();
          if (counts(name)) {
            classes.put(name, Arrays.hashCode(Files.readAllBytes(file)));
          }
        }
      }
      return classes;
    }
    Content.of(part)
        .files()
        .forEach(
            (name, content) -> {
              if (counts(name)) {
                classes.put(name, Arrays.hashCode(content));
              }
            });
    return classes;
  }

  private static boolean counts(String name) {
    return name.endsWith(".class")
        && !name.startsWith("META-INF/")
        && !name.endsWith("module-info.class")
        && !name.endsWith("package-info.class");
  }

  @ParameterizedTest
  @EnumSource
  void everyClassIsBelowOurName(SqlJar jar) {
    assertThat(jars.get(jar).files().keySet())
        .filteredOn(name -> name.endsWith(".class"))
        .hasSizeGreaterThan(100)
        .allMatch(name -> name.startsWith("dev/leat/"));
  }

  @ParameterizedTest
  @EnumSource
  void everyOtherFileHasAReasonToBeFound(SqlJar jar) {
    assertThat(jars.get(jar).files().keySet())
        .filteredOn(name -> !name.endsWith(".class"))
        .allMatch(name -> OTHER_FILES.stream().anyMatch(p -> p.matcher(name).matches()));
  }

  @ParameterizedTest
  @EnumSource
  void neitherFlinkNorALogNorTestsAreInIt(SqlJar jar) {
    assertThat(jars.get(jar).files().keySet())
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

  @ParameterizedTest
  @EnumSource
  void everyServiceNamesClassesThatAreInIt(SqlJar jar) {
    Map<String, List<String>> missing = new TreeMap<>();
    jars.get(jar)
        .files()
        .forEach(
            (name, content) -> {
              if (name.startsWith("META-INF/services/")) {
                List<String> absent =
                    new String(content, UTF_8)
                        .lines()
                        .map(line -> line.replaceFirst("#.*", "").strip())
                        .filter(line -> !line.isEmpty() && !jars.get(jar).contains(line))
                        .toList();
                if (!absent.isEmpty()) {
                  missing.put(name, absent);
                }
              }
            });

    assertThat(missing).isEmpty();
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
        .allMatch(jars.get(SqlJar.CONNECTOR)::contains);
  }

  /** What others call something, a metastore its serdes say, must not be renamed in our classes. */
  @ParameterizedTest
  @EnumSource
  void ourOwnClassesNameNoRenamedClassThatIsNotThere(SqlJar jar) {
    // With a colon behind it, it is a library in a message; with a dash, the name of a file.
    Pattern renamed = Pattern.compile("dev\\.leat\\.shaded\\.[\\w.$]*\\w(?![\\w.$:-])");
    Set<String> absent = new TreeSet<>();
    jars.get(jar)
        .files()
        .forEach(
            (name, content) -> {
              if (name.startsWith("dev/leat/") && !name.startsWith(SHADED)) {
                renamed
                    .matcher(new String(content, ISO_8859_1))
                    .results()
                    .map(result -> result.group())
                    .filter(type -> !jars.get(jar).contains(type))
                    .filter(type -> !jars.get(SqlJar.CONNECTOR).contains(type))
                    .forEach(absent::add);
              }
            });

    assertThat(absent).isEmpty();
  }

  @Test
  void hadoopsDefaultsAreThose() throws Exception {
    Map<String, String> actual = new TreeMap<>();
    defaults(alone, "dev.leat.shaded.org.apache.hadoop.conf.Configuration")
        .forEach((key, value) -> actual.put(key, value.replace("dev.leat.shaded.", "")));

    // In a loader of its own, since what other tests load gives old names of keys new ones.
    try (URLClassLoader unrelocated = new URLClassLoader(classPath(), onlySlf4j())) {
      assertThat(actual)
          .isEqualTo(defaults(unrelocated, "org.apache.hadoop.conf.Configuration"))
          .hasSizeGreaterThan(100);
    }
    assertThat(
            defaults(alone, "dev.leat.shaded.org.apache.hadoop.conf.Configuration")
                .get("fs.s3a.impl"))
        .isEqualTo("dev.leat.shaded.org.apache.hadoop.fs.s3a.S3AFileSystem");
  }

  @Test
  void hadoopKnowsItsVersion() throws Exception {
    Class<?> relocated = alone.loadClass("dev.leat.shaded.org.apache.hadoop.util.VersionInfo");

    assertThat(relocated.getMethod("getVersion").invoke(null)).isEqualTo(VersionInfo.getVersion());
  }

  private static URL[] classPath() throws IOException {
    List<URL> urls = new ArrayList<>();
    for (String part : System.getProperty("java.class.path").split(File.pathSeparator)) {
      urls.add(Path.of(part).toUri().toURL());
    }
    return urls.toArray(URL[]::new);
  }

  private static Map<String, String> defaults(ClassLoader loader, String configuration)
      throws Exception {
    Class<?> type = loader.loadClass(configuration);
    Object made = type.getConstructor().newInstance();
    type.getMethod("setClassLoader", ClassLoader.class).invoke(made, loader);
    Map<String, String> defaults = new TreeMap<>();
    for (Object entry : (Iterable<?>) made) {
      Map.Entry<?, ?> property = (Map.Entry<?, ?>) entry;
      defaults.put((String) property.getKey(), (String) property.getValue());
    }
    return defaults;
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

  @ParameterizedTest
  @EnumSource
  void theNoticeListsWhatIsBundled(SqlJar jar) throws IOException {
    Pattern artifact = Pattern.compile(".*/([^/]+)/([^/]+)/\\1-\\2(?:-[^/]+)?\\.jar");
    Set<String> expected = new TreeSet<>();
    for (String part : jar.parts()) {
      Matcher matcher = artifact.matcher(part);
      if (matcher.matches() && !LEFT_OUT.contains(matcher.group(1))) {
        expected.add(matcher.group(1) + ":" + matcher.group(2));
      }
    }
    Set<String> listed =
        jars.get(jar)
            .text("META-INF/NOTICE")
            .lines()
            .filter(line -> line.startsWith("- "))
            .map(line -> line.replaceFirst("- [^:]+:", "").replaceFirst(" \\(.*", ""))
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(listed).isEqualTo(expected);
  }

  @ParameterizedTest
  @EnumSource
  void theLicencesThatTheNoticeNamesAreThere(SqlJar jar) {
    assertThat(
            Pattern.compile("META-INF/[\\w/.-]*\\w")
                .matcher(jars.get(jar).text("META-INF/NOTICE"))
                .results()
                .map(MatchResult::group))
        .isNotEmpty()
        .allMatch(jars.get(jar).files()::containsKey);
  }

  @Test
  void theFormatsAreThoseWhoseJarsAreThere() throws Exception {
    assertThat(formats(SqlJar.CONNECTOR)).containsExactly("csv", "json", "text");
    assertThat(formats(SqlJar.CONNECTOR, SqlJar.ORC)).containsExactly("csv", "json", "orc", "text");
    assertThat(formats(SqlJar.values()))
        .containsExactly("avro", "csv", "json", "orc", "parquet", "text");
  }

  private static List<Object> formats(SqlJar... ofJars) throws Exception {
    List<URL> urls = new ArrayList<>();
    for (SqlJar jar : ofJars) {
      urls.add(jar.path().toUri().toURL());
    }
    try (URLClassLoader loader = new URLClassLoader(urls.toArray(URL[]::new), onlySlf4j())) {
      Class<?> factory = loader.loadClass("dev.leat.spi.RowFormatFactory");
      List<Object> names = new ArrayList<>();
      for (Object each : ServiceLoader.load(factory, loader)) {
        names.add(factory.getMethod("identifier").invoke(each));
      }
      return names.stream().sorted().toList();
    }
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

  @ParameterizedTest
  @EnumSource
  void theManifestNamesNoVersionsOfOtherJavas(SqlJar jar) throws IOException {
    assertThat(
            new java.util.jar.Manifest(
                    new ByteArrayInputStream(jars.get(jar).files().get("META-INF/MANIFEST.MF")))
                .getMainAttributes()
                .getValue("Multi-Release"))
        .isNull();
  }
}
