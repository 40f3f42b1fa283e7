package dev.leat.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.spi.BlobStore;
import dev.leat.spi.BlobStoreProvider;
import dev.leat.spi.StoreContext;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoresTest {
  private static final StoreContext CONTEXT =
      new StoreContext(Map.of("fs.s3a.secret.key", "do not show"));

  /** Found only by the class loader that a test makes. */
  public static final class MemoryProvider implements BlobStoreProvider {
    public MemoryProvider() {}

    @Override
    public Set<String> schemes() {
      return Set.of("mem");
    }

    @Override
    public BlobStore open(URI location, StoreContext context) {
      return new ScriptedStore();
    }
  }

  @Test
  void aFileLocationOpensTheLocalStore(@TempDir Path directory) throws IOException {
    Files.writeString(directory.resolve("a"), "content");

    try (BlobStore store = Stores.open(directory.toUri(), CONTEXT)) {
      assertThat(store.list(directory.toUri())).hasSize(1);
    }
  }

  @Test
  void aSchemeThatNobodyServesNamesThoseThatAreServed() {
    assertThatThrownBy(() -> Stores.open(URI.create("gopher://host/x"), CONTEXT))
        .isInstanceOfSatisfying(
            LeatException.class,
            e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.NO_STORE_FOR_SCHEME))
        .hasMessageContaining("'gopher'")
        .hasMessageContaining("only for [file]")
        .hasMessageNotContaining("do not show");
  }

  @Test
  void aLocationWithoutASchemeSaysHowToWriteIt() {
    assertThatThrownBy(() -> Stores.open(URI.create("/data/customers"), CONTEXT))
        .isInstanceOf(LeatException.class)
        .hasMessageContaining("'/data/customers' has no scheme");
  }

  @Test
  void providersOfTheJobsClassLoaderAreFoundAndABrokenOneDoesNotHideTheOthers(
      @TempDir Path directory) throws IOException {
    Path services = Files.createDirectories(directory.resolve("META-INF/services"));
    Files.writeString(
        services.resolve(BlobStoreProvider.class.getName()),
        "no.such.Provider\n" + MemoryProvider.class.getName() + "\n");
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader loader =
        new URLClassLoader(
            new URL[] {directory.toUri().toURL()}, StoresTest.class.getClassLoader())) {
      thread.setContextClassLoader(loader);

      try (BlobStore store = Stores.open(URI.create("MEM://x/"), CONTEXT)) {
        assertThat(store).isInstanceOf(ScriptedStore.class);
      }
      assertThatThrownBy(() -> Stores.open(URI.create("gopher://host/x"), CONTEXT))
          .hasMessageContaining("only for [file, mem]")
          .cause()
          .hasMessageContaining("no.such.Provider");
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  @Test
  void withoutAContextClassLoaderLeatsOwnOneServes(@TempDir Path directory) throws IOException {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(null);
    try (BlobStore store = Stores.open(directory.toUri(), CONTEXT)) {
      assertThat(store.list(directory.toUri())).isEmpty();
    } finally {
      thread.setContextClassLoader(before);
    }
  }
}
