package dev.leat.flink;

import dev.leat.format.Column;
import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.FormatReader;
import dev.leat.spi.RowFormat;
import java.util.List;
import java.util.Optional;

/** A format for tests in which no file is read: whoever reads fails. */
public record UnreadFormat() implements RowFormat {
  @Override
  public String definition() {
    return "unread";
  }

  @Override
  public Optional<List<DeclaredColumn>> declaredColumns() {
    return Optional.empty();
  }

  @Override
  public List<DeclaredColumn> columnsOf(Blob file, BlobReader reader) {
    throw new AssertionError("this test reads no file, but was asked for " + file);
  }

  @Override
  public FormatReader reader(List<Column> columns) {
    throw new AssertionError("this test reads no file, but was asked for " + columns);
  }
}
