package dev.leat.internal.engine.repository;

import static java.util.Objects.requireNonNull;

import dev.leat.DataSize;
import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.VersionRetention;
import dev.leat.internal.disk.OwnerOnly;
import dev.leat.internal.engine.source.VersionName;
import dev.leat.internal.index.Index;
import dev.leat.internal.index.IndexManifest;
import dev.leat.internal.index.RecordedSplits;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The indexes of one dimension on the disk of this host, shared by all its processes.
 *
 * <pre>
 *   &lt;root&gt;/&lt;dimension&gt;/&lt;version&gt;/            a ready index: it came here by one rename
 *                     &lt;version&gt;.lock        locked while a process fetches or builds the version
 *                     &lt;version&gt;.use-&lt;owner&gt; the owner has the version mapped
 *                     &lt;version&gt;.new-&lt;owner&gt;/ half written
 *                     &lt;version&gt;.seen        its modification time says when the source was last seen to have the version
 *                     &lt;version&gt;.accepted    made by hand: the version is to be served though the guard is against it
 *                     recorded/             rows of source files as they were parsed, for the next build
 *                     owner-&lt;owner&gt;         locked while the owner lives
 *                     gone-…/               being deleted
 * </pre>
 *
 * <p>What bears the token of an owner that no longer lives is left over, and removed by the next
 * one that opens the directory. Deleting a version that someone is about to open costs work, never
 * a wrong row: a mapping outlives the file's name. Thread-safe.
 */
public final class LocalRepository implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LocalRepository.class);
  private static final String USE = ".use-";
  private static final String HALF_WRITTEN = ".new-";
  private static final String LOCK = ".lock";
  private static final String SEEN = ".seen";
  private static final String ACCEPTED = ".accepted";
  private static final String GONE = "gone-";
  private static final String RECORDINGS = "recorded";
  private static final long MIN_RECORDINGS = 1 << 20;

  private final String dimension;
  private final Path root;
  private final Path directory;
  private final DataSize budget;
  private volatile Owner owner;

  private LocalRepository(String dimension, Path root, DataSize budget, Owner owner) {
    this.dimension = dimension;
    this.root = root;
    this.directory = root.resolve(dimension);
    this.budget = budget;
    this.owner = owner;
  }

  /**
   * Opens the directory of a dimension and removes what dead processes left half written.
   *
   * @param root the directory of all dimensions; made, for its owner only, if it is not there
   * @throws LeatException {@code DISK_UNUSABLE}
   */
  public static LocalRepository open(Path root, String dimension, DataSize budget) {
    Path directory = root.resolve(dimension);
    try {
      makePrivateDirectory(root);
      makePrivateDirectory(directory);
      shutOut(root, directory, dimension);
      LocalRepository repository =
          new LocalRepository(dimension, root, budget, Owner.enter(directory));
      try {
        repository.removeLeftovers();
        return repository;
      } catch (IOException | RuntimeException e) {
        repository.close();
        throw e;
      }
    } catch (IOException e) {
      throw new LeatException(
          ErrorCode.DISK_UNUSABLE,
          "Dimension '"
              + dimension
              + "': the directory "
              + directory
              + " of the local disk tier cannot be used ("
              + e
              + "); check its permissions and space, or name another with LocalDisk.at(…)",
          e);
    }
  }

  private static void makePrivateDirectory(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      try {
        OwnerOnly.createDirectories(directory);
      } catch (FileAlreadyExistsException e) {
        // Another process made it at the same moment; whether it can be used is seen below.
        if (!Files.isDirectory(directory)) {
          throw e;
        }
      }
    }
    if (OwnerOnly.posix(directory)) {
      String user = System.getProperty("user.name");
      String holder = Files.getOwner(directory).getName();
      // Whoever owns the directory can put indexes of his own making there.
      if (user != null && !holder.equals(user) && !holder.equals("root") && !user.equals("?")) {
        throw new IOException("it belongs to the user " + holder + ", not to " + user);
      }
    }
  }

  /**
   * The root may be a directory that was made for Leat, with the rights that somebody found good;
   * that of the dimension is Leat's own, and what was let in there by mistake is shut out.
   */
  private static void shutOut(Path root, Path directory, String dimension) throws IOException {
    if (OwnerOnly.tighten(directory)) {
      LOG.warn(
          "Dimension '{}': others than the owner had access to {}; that was taken from them",
          dimension,
          directory);
    }
    if (OwnerOnly.othersMayWrite(root)) {
      LOG.warn(
          "Dimension '{}': others than its owner can write to {}, and so put indexes of their own in the place of Leat's; take that from them, or name another directory with LocalDisk.at(…)",
          dimension,
          root);
    }
  }

  /**
   * Makes the directory again if somebody has removed it while it was in use: what is mapped is
   * served on, and new versions find a place.
   */
  private synchronized void restoreDirectory() throws IOException {
    if (Files.isDirectory(directory)) {
      return;
    }
    makePrivateDirectory(root);
    makePrivateDirectory(directory);
    Owner lost = owner;
    owner = Owner.enter(directory);
    lost.close();
    LOG.warn(
        "Dimension '{}': the directory {} was removed while it was in use; it was made again, and what is served goes on being served",
        dimension,
        directory);
  }

  /** Where the indexes of the dimension stand. */
  public Path directory() {
    return directory;
  }

  /**
   * Maps the index of a version, if it is there and whole. A damaged one is dropped.
   *
   * @param fingerprint that the index must have been built from
   * @param onDamage is told the reason if the index was damaged
   */
  public Optional<LocalIndex> openReady(
      String versionId, String fingerprint, java.util.function.Consumer<String> onDamage) {
    Path version = directory.resolve(versionId);
    if (!Files.exists(version)) {
      return Optional.empty();
    }
    try {
      createFile(use(versionId));
      Object identity = identity(version);
      Index index;
      try {
        index = Index.open(version);
      } catch (LeatException e) {
        if (e.errorCode() != ErrorCode.INDEX_DAMAGED
            && e.errorCode() != ErrorCode.INDEX_FORMAT_UNSUPPORTED) {
          unuse(versionId);
          throw e;
        }
        giveUp(versionId, version, identity, String.valueOf(e.getMessage()), onDamage);
        return Optional.empty();
      }
      if (!index.manifest().sourceFingerprint().equals(fingerprint)) {
        String found = index.manifest().sourceFingerprint();
        index.close();
        giveUp(
            versionId,
            version,
            identity,
            "it was built from the fingerprint " + found + ", not from " + fingerprint,
            onDamage);
        return Optional.empty();
      }
      // The time of the last use: which version goes first when the budget is short.
      touch(version, index);
      return Optional.of(new LocalIndex(versionId, version, identity, index));
    } catch (NoSuchFileException e) {
      // Deleted by another process between the look and the opening.
      unuse(versionId);
      return Optional.empty();
    } catch (IOException e) {
      unuse(versionId);
      throw unusable("cannot open the index " + version, e);
    }
  }

  private static void touch(Path version, Index index) throws IOException {
    try {
      Files.setLastModifiedTime(version, FileTime.from(Instant.now()));
    } catch (IOException e) {
      index.close();
      throw e;
    }
  }

  private void giveUp(
      String versionId,
      Path version,
      Object identity,
      String reason,
      java.util.function.Consumer<String> onDamage) {
    onDamage.accept(reason);
    unuse(versionId);
    remove(version, identity);
  }

  /** A lock on a version, not yet acquired. The caller closes it. */
  public VersionLock lock(String versionId) {
    try {
      restoreDirectory();
      return VersionLock.on(directory.resolve(versionId + LOCK));
    } catch (IOException e) {
      throw unusable("cannot open the lock of version " + versionId, e);
    }
  }

  /** A new, empty directory in which an index of a version can be written. */
  public Path begin(String versionId) {
    Path halfWritten = directory.resolve(versionId + HALF_WRITTEN + owner.token());
    try {
      deleteTree(halfWritten);
      OwnerOnly.createDirectory(halfWritten);
      return halfWritten;
    } catch (IOException e) {
      throw unusable("cannot make the directory " + halfWritten, e);
    }
  }

  /** Where rows of source files stand as they were parsed; nothing needs to be there. */
  public Path recordings() {
    return directory.resolve(RECORDINGS);
  }

  /**
   * Opens the recordings for a build, within what the budget and the disk leave; empty where that
   * is too little, or they cannot be used: a build can do without.
   *
   * @param lineage what all keys of the definition begin with
   * @param keys the keys of the build
   */
  public Optional<RecordedSplits> openRecordings(String lineage, Set<String> keys) {
    long used = readyOfAllDimensions().stream().mapToLong(Ready::bytes).sum();
    // An index of about the size of the last one comes beside it.
    long bound = Math.min((budget.bytes() - 2 * used) / 2, usableSpace() / 4);
    if (bound < MIN_RECORDINGS) {
      removeRecordings();
      return Optional.empty();
    }
    try {
      return Optional.of(
          RecordedSplits.open(
              recordings(), halfWrittenSuffix(), DataSize.ofBytes(bound), lineage, keys));
    } catch (IOException e) {
      LOG.warn("Dimension '{}': rows cannot be recorded in {}", dimension, recordings(), e);
      return Optional.empty();
    }
  }

  /**
   * What the name of a half-written file among the {@link #recordings} must end with, so that it is
   * removed when this process has died.
   */
  public String halfWrittenSuffix() {
    return HALF_WRITTEN + owner.token();
  }

  /** Throws away a directory that {@link #begin} gave. */
  public void discard(Path halfWritten) {
    try {
      deleteTree(halfWritten);
    } catch (IOException e) {
      LOG.warn(
          "Dimension '{}': cannot remove the half-written {}; the next start will try again",
          dimension,
          halfWritten,
          e);
    }
  }

  /**
   * Makes a whole index that was written into a directory of {@link #begin} the ready one of its
   * version. One that is there already is replaced.
   */
  public void commit(String versionId, Path halfWritten) {
    Path version = directory.resolve(versionId);
    try {
      force(halfWritten);
      for (int attempt = 0; ; attempt++) {
        try {
          Files.move(halfWritten, version, StandardCopyOption.ATOMIC_MOVE);
          break;
        } catch (IOException e) {
          if (attempt > 10 || !Files.exists(version)) {
            throw e;
          }
          remove(version, null);
        }
      }
      force(directory);
    } catch (IOException e) {
      throw unusable("cannot move the index of version " + versionId + " into place", e);
    }
  }

  /**
   * Makes room for an index that is to be written: fails if it does not fit the budget and the disk
   * even when all indexes go that nobody uses.
   */
  public void makeRoom(long bytes, String keepVersionId) {
    makeRoom(bytes, bytes, keepVersionId);
  }

  /** Makes room in the budget for an index that is written already, but not yet committed. */
  public void makeRoomInBudget(long bytes, String keepVersionId) {
    makeRoom(bytes, 0, keepVersionId);
  }

  private void makeRoom(long bytes, long toWrite, String keepVersionId) {
    if (bytes > budget.bytes()) {
      throw full(bytes, "the budget of the local disk tier is " + budget);
    }
    List<Ready> ready = readyOfAllDimensions();
    long used = ready.stream().mapToLong(Ready::bytes).sum();
    if (usableSpace() < toWrite || used + bytes + recordedBytes() > budget.bytes()) {
      removeRecordings();
    }
    for (Ready candidate : ready) {
      if (used + bytes <= budget.bytes() && usableSpace() >= toWrite) {
        return;
      }
      if (!candidate.path().equals(directory.resolve(keepVersionId))
          && removeIfUnused(candidate.path())) {
        used -= candidate.bytes();
      }
    }
    if (used + bytes > budget.bytes()) {
      throw full(bytes, DataSize.ofBytes(used) + " of the budget of " + budget + " are in use");
    }
    if (usableSpace() < toWrite) {
      throw full(bytes, "only " + DataSize.ofBytes(usableSpace()) + " are free on the disk");
    }
  }

  private long recordedBytes() {
    try {
      return Files.isDirectory(recordings()) ? sizeOf(recordings()) : 0;
    } catch (IOException e) {
      LOG.debug("Dimension '{}': {} changes while it is looked at", dimension, recordings(), e);
      return 0;
    }
  }

  /** Recordings save work; an index that finds no room is worse. */
  private void removeRecordings() {
    try {
      deleteTree(recordings());
    } catch (IOException e) {
      LOG.warn("Dimension '{}': cannot remove {}", dimension, recordings(), e);
    }
  }

  private LeatException full(long bytes, String reason) {
    return new LeatException(
        ErrorCode.DISK_FULL,
        "Dimension '"
            + dimension
            + "': an index of "
            + DataSize.ofBytes(bytes)
            + " does not fit below "
            + root
            + ": "
            + reason
            + "; give a larger budget with LocalDisk.at(…).budget(…), or a larger disk");
  }

  private long usableSpace() {
    try {
      return Files.getFileStore(directory).getUsableSpace();
    } catch (IOException e) {
      throw unusable("cannot ask for the free space", e);
    }
  }

  /** Says that the index is no longer mapped by this owner. Its mapping must be closed. */
  public void release(LocalIndex index) {
    unuse(index.versionId());
  }

  /**
   * Removes the files of an index that is damaged, unless another has taken its place. Mappings of
   * it stay valid.
   */
  public void drop(LocalIndex index) {
    remove(index.directory(), index.identity());
  }

  /** Notes that the source was seen to have a version. */
  public void markSeen(String versionId, Instant when) {
    Path seen = directory.resolve(versionId + SEEN);
    try {
      restoreDirectory();
      createFile(seen);
      Files.setLastModifiedTime(seen, FileTime.from(when));
    } catch (IOException e) {
      throw unusable("cannot write " + seen, e);
    }
  }

  /** When the source was last seen to have the version, by any process of this host. */
  public Optional<Instant> lastSeen(String versionId) {
    try {
      return Optional.of(
          Files.getLastModifiedTime(directory.resolve(versionId + SEEN)).toInstant());
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw unusable("cannot read when version " + versionId + " was seen", e);
    }
  }

  /**
   * An index that was served before, with the time at which the source was last seen to have its
   * version.
   */
  public record LastServed(LocalIndex index, Instant seen) {}

  /**
   * Maps the index of the version of a lineage that the source was last seen to have, by any
   * process of this host; empty if there is none that is whole.
   */
  public Optional<LastServed> openLastServed(
      String lineage, java.util.function.Consumer<String> onDamage) {
    Optional<String> latest =
        versions(directory).stream()
            .filter(id -> id.startsWith(lineage) && lastSeen(id).isPresent())
            .max(Comparator.comparing(id -> lastSeen(id).orElse(Instant.MIN)));
    if (latest.isEmpty()) {
      return Optional.empty();
    }
    String id = latest.get();
    Instant seen = lastSeen(id).orElse(Instant.MIN);
    String fingerprint;
    try {
      fingerprint = IndexManifest.read(directory.resolve(id)).sourceFingerprint();
    } catch (LeatException e) {
      LOG.info("Dimension '{}': the last version {} cannot be read", dimension, id, e);
      return Optional.empty();
    }
    return openReady(id, fingerprint, onDamage).map(index -> new LastServed(index, seen));
  }

  /** The whole indexes of a lineage that were served before. */
  public List<KeptVersion> kept(String lineage) {
    List<KeptVersion> kept = new ArrayList<>();
    for (String id : versions(directory)) {
      Optional<Instant> seen = lastSeen(id);
      if (id.startsWith(lineage) && seen.isPresent()) {
        try {
          String fingerprint = IndexManifest.read(directory.resolve(id)).sourceFingerprint();
          kept.add(new KeptVersion(new VersionName(id, fingerprint), seen.get()));
        } catch (LeatException e) {
          LOG.info("Dimension '{}': version {} cannot be read", dimension, id, e);
        }
      }
    }
    return kept;
  }

  /** Whether somebody has said by hand that a version is to be served. */
  public boolean accepted(String versionId) {
    return Files.exists(directory.resolve(versionId + ACCEPTED));
  }

  /**
   * The rows of the version of a lineage that the source was last seen to have and that was served;
   * empty if this host has none.
   *
   * @param exceptVersionId another than this one
   */
  public OptionalLong lastServedRows(String lineage, String exceptVersionId) {
    Optional<String> latest =
        versions(directory).stream()
            .filter(id -> id.startsWith(lineage) && !id.equals(exceptVersionId))
            .filter(id -> lastSeen(id).isPresent())
            .max(Comparator.comparing(id -> lastSeen(id).orElse(Instant.MIN)));
    try {
      return latest.isEmpty()
          ? OptionalLong.empty()
          : OptionalLong.of(IndexManifest.read(directory.resolve(latest.get())).rows());
    } catch (LeatException e) {
      LOG.info("Dimension '{}': the last version {} cannot be read", dimension, latest, e);
      return OptionalLong.empty();
    }
  }

  /**
   * The versions of a lineage that are to be kept, of those that are here.
   *
   * @param now the time of {@link #markSeen}
   */
  public Set<String> retained(String lineage, VersionRetention retention, Instant now) {
    record Kept(String id, Instant seen) {}
    List<Kept> all = new ArrayList<>();
    for (String id : versions(directory)) {
      if (id.startsWith(lineage)) {
        all.add(new Kept(id, lastSeen(id).orElseGet(() -> written(id))));
      }
    }
    all.sort(Comparator.comparing(Kept::seen).reversed());
    Set<String> retained = new HashSet<>();
    for (Kept version : all) {
      if (retained.size() < retention.versions()
          || Duration.between(version.seen(), now).compareTo(retention.time()) < 0) {
        retained.add(version.id());
      }
    }
    return retained;
  }

  /** When a version came here that was not served. */
  private Instant written(String versionId) {
    try {
      return Files.getLastModifiedTime(directory.resolve(versionId)).toInstant();
    } catch (IOException e) {
      LOG.debug("Dimension '{}': {} was removed by another process", dimension, versionId, e);
      return Instant.MIN;
    }
  }

  /** Removes the versions of a lineage that no process uses, but for those that are to be kept. */
  public void removeOldVersions(String lineage, Set<String> kept) {
    for (String id : versions(directory)) {
      if (id.startsWith(lineage) && !kept.contains(id)) {
        removeIfUnused(directory.resolve(id));
      }
    }
  }

  private boolean removeIfUnused(Path version) {
    Path dimensionDirectory = requireNonNull(version.getParent());
    String id = String.valueOf(version.getFileName());
    try {
      for (Path use : entries(dimensionDirectory, id + USE)) {
        String token = suffix(use, USE);
        if (Owner.alive(dimensionDirectory, token)) {
          return false;
        }
        Files.deleteIfExists(use);
      }
      remove(version, null);
      Files.deleteIfExists(dimensionDirectory.resolve(id + SEEN));
      Files.deleteIfExists(dimensionDirectory.resolve(id + LOCK));
      Files.deleteIfExists(dimensionDirectory.resolve(id + ACCEPTED));
      return true;
    } catch (IOException e) {
      LOG.warn("Dimension '{}': cannot remove the old index {}", dimension, version, e);
      return false;
    }
  }

  private void removeLeftovers() throws IOException {
    if (Files.isDirectory(recordings())) {
      for (Path path : entries(recordings(), "")) {
        if (String.valueOf(path.getFileName()).contains(HALF_WRITTEN)
            && !Owner.alive(directory, suffix(path, HALF_WRITTEN))) {
          Files.deleteIfExists(path);
        }
      }
    }
    for (Path path : entries(directory, "")) {
      String name = String.valueOf(path.getFileName());
      if (name.startsWith(GONE)) {
        deleteTree(path);
      } else if (name.contains(HALF_WRITTEN)
          && !Owner.alive(directory, suffix(path, HALF_WRITTEN))) {
        LOG.info(
            "Dimension '{}': removing the half-written index {} of a process that has ended",
            dimension,
            path);
        deleteTree(path);
      } else if (name.contains(USE) && !Owner.alive(directory, suffix(path, USE))) {
        Files.deleteIfExists(path);
      } else if (name.startsWith(Owner.PREFIX)
          && !Owner.alive(directory, suffix(path, Owner.PREFIX))) {
        LOG.debug("Dimension '{}': an owner of {} has ended without leaving", dimension, directory);
      }
    }
  }

  /** Takes a directory out of sight by a rename, then deletes it. */
  private void remove(Path version, @Nullable Object onlyIfIdentity) {
    Path gone = version.resolveSibling(GONE + UUID.randomUUID());
    try {
      if (onlyIfIdentity != null && !onlyIfIdentity.equals(identity(version))) {
        return;
      }
      Files.move(version, gone, StandardCopyOption.ATOMIC_MOVE);
      deleteTree(gone);
    } catch (NoSuchFileException e) {
      LOG.debug("Dimension '{}': {} is gone already", dimension, version);
    } catch (IOException e) {
      throw unusable("cannot remove the index " + version, e);
    }
  }

  private record Ready(Path path, long bytes, Instant used) {}

  /** The ready indexes below the root, the one that was used least recently first. */
  private List<Ready> readyOfAllDimensions() {
    List<Ready> ready = new ArrayList<>();
    try (DirectoryStream<Path> dimensions = Files.newDirectoryStream(root, this::isDimension)) {
      for (Path each : dimensions) {
        for (String id : versions(each)) {
          Path path = each.resolve(id);
          try {
            ready.add(new Ready(path, sizeOf(path), Files.getLastModifiedTime(path).toInstant()));
          } catch (NoSuchFileException e) {
            LOG.debug("Dimension '{}': {} was removed by another process", dimension, path);
          }
        }
      }
    } catch (IOException e) {
      throw unusable("cannot list " + root, e);
    }
    ready.sort(Comparator.comparing(Ready::used));
    return ready;
  }

  /** Not what is somebody else's: another user's indexes, a {@code lost+found}. */
  private boolean isDimension(Path below) {
    return Files.isDirectory(below) && (below.equals(directory) || Files.isReadable(below));
  }

  private List<String> versions(Path dimensionDirectory) {
    List<String> ids = new ArrayList<>();
    try (DirectoryStream<Path> stream =
        Files.newDirectoryStream(
            dimensionDirectory, path -> Files.exists(path.resolve(IndexManifest.FILE_NAME)))) {
      for (Path path : stream) {
        String name = String.valueOf(path.getFileName());
        if (!name.contains(HALF_WRITTEN) && !name.startsWith(GONE)) {
          ids.add(name);
        }
      }
    } catch (IOException e) {
      throw unusable("cannot list " + dimensionDirectory, e);
    }
    return ids;
  }

  private static long sizeOf(Path directory) throws IOException {
    long sum = 0;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        sum += Files.size(file);
      }
    }
    return sum;
  }

  private static List<Path> entries(Path directory, String prefix) throws IOException {
    List<Path> paths = new ArrayList<>();
    try (DirectoryStream<Path> stream =
        Files.newDirectoryStream(
            directory, path -> String.valueOf(path.getFileName()).startsWith(prefix))) {
      stream.forEach(paths::add);
    }
    return paths;
  }

  private static String suffix(Path path, String mark) {
    String name = String.valueOf(path.getFileName());
    return name.substring(name.indexOf(mark) + mark.length());
  }

  private Path use(String versionId) {
    return directory.resolve(versionId + USE + owner.token());
  }

  private void unuse(String versionId) {
    try {
      Files.deleteIfExists(use(versionId));
    } catch (IOException e) {
      throw unusable("cannot remove " + use(versionId), e);
    }
  }

  private static void createFile(Path file) throws IOException {
    try {
      OwnerOnly.createFile(file);
    } catch (FileAlreadyExistsException e) {
      LOG.trace("{} is there already", file);
    }
  }

  private static Object identity(Path path) throws IOException {
    BasicFileAttributes attributes =
        Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    Object key = attributes.fileKey();
    return key == null ? attributes.creationTime() : key;
  }

  /** Forces the names in a directory to the disk, so that they outlive a crash of the host. */
  private static void force(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private static void deleteTree(Path tree) throws IOException {
    if (!Files.exists(tree, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Files.walkFileTree(
        tree,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw e;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e)
              throws IOException {
            if (e != null) {
              throw e;
            }
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private LeatException unusable(String what, IOException cause) {
    return new LeatException(
        ErrorCode.DISK_UNUSABLE,
        "Dimension '"
            + dimension
            + "': "
            + what
            + " ("
            + cause
            + "); check the permissions and the space of "
            + directory,
        cause);
  }

  /** Lets go of everything that this owner claims. Indexes must be released before. */
  @Override
  public void close() {
    owner.close();
  }
}
