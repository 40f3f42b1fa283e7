package dev.leat.internal.engine.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leat.Dimension;
import dev.leat.DuplicateKeys;
import dev.leat.MalformedRows;
import dev.leat.event.DimensionEvent;
import dev.leat.format.DelimitedText;
import dev.leat.internal.engine.tier.Announcer;
import dev.leat.internal.engine.tier.StoreClient;
import dev.leat.internal.store.ResilienceSettings;
import dev.leat.internal.store.StoreTime;
import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.BlobStore;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SourceTest {
  private static final String TABLE = "s3a://bucket/customers/";

  record Customer(String id, String name) {}

  record Named(String id, String name, int age) {}

  private static final Dimension<String, Customer> CUSTOMERS = customers(TABLE, text());

  private static DelimitedText text() {
    return DelimitedText.separatedBy('|').columns("id", "name", "age");
  }

  private static Dimension<String, Customer> customers(String location, DelimitedText text) {
    return Dimension.named("customers")
        .at(location)
        .rows(Customer.class, text)
        .keyedBy(String.class, "id");
  }

  private static Blob blob(String uri, long length, String tag) {
    return new Blob(URI.create(uri), length, Optional.ofNullable(tag), Instant.EPOCH);
  }

  private static String version(
      Dimension<?, ?> dimension, DuplicateKeys duplicates, String location, Blob... files)
      throws InterruptedException {
    try (Source source = source(dimension, duplicates, location, files)) {
      SourceVersion version = source.look();
      assertThat(version.id()).matches("[0-9a-f]{24}").startsWith(version.lineage());
      return version.fingerprint();
    }
  }

  private static Source source(
      Dimension<?, ?> dimension, DuplicateKeys duplicates, String location, Blob... files) {
    StoreClient client =
        new StoreClient(
            "source",
            new Listing(List.of(files)),
            ResilienceSettings.defaults(),
            StoreTime.system(),
            new Silent());
    return new Source(dimension, duplicates, URI.create(location), List.of(), client, 1);
  }

  private static final Blob A = blob(TABLE + "a", 10, "tag-a");
  private static final Blob B = blob(TABLE + "b", 20, "tag-b");

  @Test
  void theSameFilesAndDefinitionAreTheSameVersionHoweverTheListingIsOrderedAndTheLocationIsSpelled()
      throws Exception {
    String version = version(CUSTOMERS, DuplicateKeys.KEEP_LAST, TABLE, A, B);
    assertThat(version(CUSTOMERS, DuplicateKeys.KEEP_LAST, TABLE, B, A)).isEqualTo(version);
    assertThat(
            version(
                customers("s3a://bucket/customers", text()),
                DuplicateKeys.KEEP_LAST,
                "s3a://bucket/customers",
                A,
                B))
        .isEqualTo(version);
    assertThat(
            version(
                customers("s3://bucket/customers/", text()),
                DuplicateKeys.KEEP_LAST,
                "s3://bucket/customers/",
                blob("s3://bucket/customers/a", 10, "tag-a"),
                blob("s3://bucket/customers/b", 20, "tag-b")))
        .isEqualTo(version);
  }

  @Test
  void whateverMayChangeARowIsAnotherVersion() throws Exception {
    Dimension<String, Named> wider =
        Dimension.named("customers")
            .at(TABLE)
            .rows(Named.class, text())
            .keyedBy(String.class, "id");
    Dimension<String, Customer> byName =
        Dimension.named("customers")
            .at(TABLE)
            .rows(Customer.class, text())
            .keyedBy(String.class, "name");
    List<String> versions =
        List.of(
            version(CUSTOMERS, DuplicateKeys.KEEP_LAST, TABLE, A, B),
            version(CUSTOMERS, DuplicateKeys.KEEP_FIRST, TABLE, A, B),
            version(CUSTOMERS, DuplicateKeys.KEEP_LAST, TABLE, A),
            version(CUSTOMERS, DuplicateKeys.KEEP_LAST, TABLE, A, blob(TABLE + "c", 20, "tag-b")),
            version(CUSTOMERS, DuplicateKeys.KEEP_LAST, TABLE, A, blob(TABLE + "b", 21, "tag-b")),
            version(CUSTOMERS, DuplicateKeys.KEEP_LAST, TABLE, A, blob(TABLE + "b", 20, "tag-c")),
            version(CUSTOMERS, DuplicateKeys.KEEP_LAST, TABLE, A, blob(TABLE + "b", 20, null)),
            version(
                CUSTOMERS,
                DuplicateKeys.KEEP_LAST,
                TABLE,
                A,
                new Blob(URI.create(TABLE + "b"), 20, Optional.empty(), Instant.ofEpochMilli(1))),
            version(
                customers("s3a://elsewhere/customers/", text()),
                DuplicateKeys.KEEP_LAST,
                "s3a://elsewhere/customers/",
                blob("s3a://elsewhere/customers/a", 10, "tag-a"),
                blob("s3a://elsewhere/customers/b", 20, "tag-b")),
            version(
                customers(TABLE, text().nullMarker("NULL")), DuplicateKeys.KEEP_LAST, TABLE, A, B),
            version(
                customers(TABLE, DelimitedText.separatedBy(',').columns("id", "name", "age")),
                DuplicateKeys.KEEP_LAST,
                TABLE,
                A,
                B),
            version(
                CUSTOMERS.malformedRows(MalformedRows.fail()),
                DuplicateKeys.KEEP_LAST,
                TABLE,
                A,
                B),
            version(wider, DuplicateKeys.KEEP_LAST, TABLE, A, B),
            version(byName, DuplicateKeys.KEEP_LAST, TABLE, A, B));
    Set<String> different = new HashSet<>(versions);
    assertThat(different).hasSameSizeAs(versions);
  }

  @Test
  void versionsOfOneDefinitionHaveOneLineage() throws Exception {
    try (Source before = source(CUSTOMERS, DuplicateKeys.KEEP_LAST, TABLE, A);
        Source after = source(CUSTOMERS, DuplicateKeys.KEEP_LAST, TABLE, B);
        Source other = source(CUSTOMERS, DuplicateKeys.KEEP_ALL, TABLE, B)) {
      assertThat(after.look().lineage())
          .isEqualTo(before.look().lineage())
          .isNotEqualTo(other.look().lineage());
      assertThat(after.look().id()).isNotEqualTo(before.look().id());
    }
  }

  @Test
  void aLocationThatIsASingleFileIsRead() throws Exception {
    Blob only = blob("s3a://bucket/customers.txt", 10, "tag");
    Dimension<String, Customer> file = customers("s3a://bucket/customers.txt", text());
    try (Source source =
        source(file, DuplicateKeys.KEEP_LAST, "s3a://bucket/customers.txt", only)) {
      assertThat(source.look().files()).containsExactly(only);
    }
  }

  private static final class Silent implements Announcer {
    @Override
    public String dimension() {
      return "customers";
    }

    @Override
    public void announce(DimensionEvent event) {
      throw new AssertionError("nothing should happen, but: " + event);
    }
  }

  /** A store that can be listed and nothing else. */
  private record Listing(List<Blob> blobs) implements BlobStore {
    @Override
    public List<Blob> list(URI directory) {
      String prefix = directory.toString().endsWith("/") ? directory.toString() : directory + "/";
      return blobs.stream().filter(blob -> blob.uri().toString().startsWith(prefix)).toList();
    }

    @Override
    public Optional<Blob> find(URI uri) {
      return blobs.stream().filter(blob -> blob.uri().equals(uri)).findFirst();
    }

    @Override
    public BlobReader open(Blob blob) {
      throw new AssertionError("nothing should be opened, but: " + blob);
    }

    @Override
    public void publish(Path file, URI target) {
      throw new AssertionError("nothing should be published, but: " + target);
    }

    @Override
    public boolean publishIfAbsent(byte[] content, URI target) {
      throw new AssertionError("nothing should be published, but: " + target);
    }

    @Override
    public void delete(URI uri) {
      throw new AssertionError("nothing should be deleted, but: " + uri);
    }

    @Override
    public void close() {}
  }
}
