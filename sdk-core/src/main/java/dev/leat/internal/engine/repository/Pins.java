package dev.leat.internal.engine.repository;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The version to which somebody has pinned a dimension: <code>{"version": "…"}</code> in a file
 * {@code pin.json} beside the versions, in the nearest remote tier that has one, or on the local
 * disk where there is no remote tier. Belongs to the service's thread.
 */
public final class Pins {
  /** The file's name. */
  public static final String FILE_NAME = "pin.json";

  private static final int LIMIT = 4096;
  private static final Pattern VERSION_ID = Pattern.compile("[0-9a-f]{9,64}");

  private final String dimension;
  private final LocalRepository local;
  private final List<RemoteRepository> remotes;

  /** What was found last, for while it cannot be looked at. */
  private Optional<String> latest = Optional.empty();

  /** The pin of a dimension. */
  public Pins(String dimension, LocalRepository local, List<RemoteRepository> remotes) {
    this.dimension = dimension;
    this.local = local;
    this.remotes = List.copyOf(remotes);
  }

  /**
   * The id of the version that is pinned now. Where it cannot be looked at, what was found before
   * holds.
   *
   * @throws LeatException {@code PIN_UNUSABLE} if the file does not name a version
   */
  public Optional<String> find() throws InterruptedException {
    try {
      latest = remotes.isEmpty() ? findLocal() : findRemote();
    } catch (IOException e) {
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedException("interrupted while the pin was read");
      }
      for (RemoteRepository remote : remotes) {
        remote.tier().client().fellBack("the pin cannot be read: " + e.getMessage());
      }
    }
    return latest;
  }

  private Optional<String> findLocal() throws IOException {
    Path file = local.directory().resolve(FILE_NAME);
    try {
      if (Files.size(file) > LIMIT) {
        throw unusable(file.toString(), "it has " + Files.size(file) + " bytes", null);
      }
      return Optional.of(parse(file.toString(), Files.readString(file)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  private Optional<String> findRemote() throws IOException {
    for (RemoteRepository remote : remotes) {
      Optional<Blob> blob = remote.tier().store().find(remote.file(FILE_NAME));
      if (blob.isPresent()) {
        String name = blob.get().uri().toString();
        if (blob.get().length() > LIMIT) {
          throw unusable(name, "it has " + blob.get().length() + " bytes", null);
        }
        byte[] bytes = new byte[(int) blob.get().length()];
        try (BlobReader reader = remote.tier().store().open(blob.get())) {
          reader.readFully(0, bytes, 0, bytes.length);
        } catch (StoreException e) {
          if (e.kind() == StoreException.Kind.NOT_FOUND) {
            continue;
          }
          throw e;
        }
        return Optional.of(parse(name, new String(bytes, UTF_8)));
      }
    }
    return Optional.empty();
  }

  private String parse(String file, String json) {
    String version = null;
    try (JsonParser parser = new JsonFactory().createParser(json)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw unusable(file, "it is no JSON object", null);
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String field = parser.currentName();
        parser.nextToken();
        if (field.equals("version")) {
          version = parser.getValueAsString();
        }
        parser.skipChildren();
      }
    } catch (IOException e) {
      throw unusable(file, "it cannot be read as JSON: " + e.getMessage(), e);
    }
    if (version == null || !VERSION_ID.matcher(version).matches()) {
      throw unusable(
          file, version == null ? "it has no field \"version\"" : "its version is no id", null);
    }
    return version;
  }

  /** Says that the pinned version cannot be had. */
  public LeatException unknown(String versionId, List<String> kept) {
    return new LeatException(
        ErrorCode.PIN_UNUSABLE,
        "Dimension '"
            + dimension
            + "': "
            + FILE_NAME
            + " pins version "
            + versionId
            + ", which is not kept; kept are "
            + kept
            + ". Name one of them, or delete "
            + FILE_NAME
            + " to follow the source again");
  }

  private LeatException unusable(String file, String reason, @Nullable Throwable cause) {
    return new LeatException(
        ErrorCode.PIN_UNUSABLE,
        "Dimension '"
            + dimension
            + "': "
            + file
            + " does not say which version is pinned: "
            + reason
            + "; write {\"version\": \"<id>\"}, or delete it to follow the source again",
        cause);
  }
}
