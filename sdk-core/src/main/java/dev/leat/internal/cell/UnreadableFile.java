package dev.leat.internal.cell;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.spi.Blob;
import dev.leat.spi.StoreException;
import java.io.IOException;

/** What is said of a file that the library of its format cannot read. */
public final class UnreadableFile {
  private UnreadableFile() {}

  /**
   * The failure for a file in which a library found what should not be there.
   *
   * @param file the file
   * @param format what it was taken for
   * @param cause what the library says; a failure of the store or of Leat's own is passed on
   * @throws StoreException if that is the cause, or the cause of the cause
   */
  public static IOException as(String format, Blob file, Exception cause) throws StoreException {
    if (cause instanceof LeatException own) {
      throw own;
    }
    if (cause instanceof StoreException store) {
      throw store;
    }
    if (cause.getCause() instanceof StoreException store) {
      throw store;
    }
    return new IOException(
        file.uri()
            + " cannot be read as "
            + format
            + " ("
            + cause.getMessage()
            + "): it is damaged, or of another format",
        cause);
  }

  /** The error for a column of a file that has a type which Leat does not have. */
  public static LeatException column(Blob file, String column, IllegalArgumentException cause) {
    return new LeatException(
        ErrorCode.TYPE_MISMATCH,
        "the column '"
            + column
            + "' of "
            + file.uri()
            + " cannot be read ("
            + cause.getMessage()
            + "); name the columns to keep with columns(…)",
        cause);
  }
}
