package dev.leat.testserver.metastore;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/**
 * A file system in which every path is an empty directory. The metastore wants a table's directory
 * to exist before it takes the table; it has no clients for the stores of the tests, and needs none
 * to keep definitions.
 */
public final class AnyDirectory extends FileSystem {

  private URI uri = URI.create("any:///");

  /** Made by Hadoop. */
  public AnyDirectory() {}

  @Override
  public void initialize(URI name, Configuration conf) throws IOException {
    super.initialize(name, conf);
    String authority = name.getRawAuthority();
    uri = URI.create(name.getScheme() + "://" + (authority == null ? "/" : authority));
  }

  @Override
  public URI getUri() {
    return uri;
  }

  @Override
  protected void checkPath(Path path) {
    // Any path is a directory here.
  }

  @Override
  public FileStatus getFileStatus(Path path) {
    return new FileStatus(0, true, 1, 1, 0, makeQualified(path));
  }

  @Override
  public FileStatus[] listStatus(Path path) {
    return new FileStatus[0];
  }

  @Override
  public boolean mkdirs(Path path, FsPermission permission) {
    return true;
  }

  @Override
  public void setWorkingDirectory(Path path) {
    throw new UnsupportedOperationException("nothing works here");
  }

  @Override
  public Path getWorkingDirectory() {
    return new Path(uri.toString(), "/");
  }

  @Override
  public boolean delete(Path path, boolean recursive) throws IOException {
    throw new IOException("The metastore of a test deletes no data, but was to delete " + path);
  }

  @Override
  public boolean rename(Path from, Path to) throws IOException {
    throw new IOException("The metastore of a test moves no data, but was to move " + from);
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    throw new IOException("The metastore of a test reads no data, but was to read " + path);
  }

  @Override
  public FSDataOutputStream create(
      Path path,
      FsPermission permission,
      boolean overwrite,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress)
      throws IOException {
    throw new IOException("The metastore of a test writes no data, but was to write " + path);
  }

  @Override
  public FSDataOutputStream append(Path path, int bufferSize, Progressable progress)
      throws IOException {
    throw new IOException("The metastore of a test writes no data, but was to write " + path);
  }
}
