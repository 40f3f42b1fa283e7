package dev.leat.internal.cell;

import dev.leat.spi.Blob;
import dev.leat.spi.FileSplit;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts the files of formats that mark by themselves where a part of them begins: row groups,
 * stripes, blocks behind a synchronization mark.
 */
public final class EvenSplits {
  private EvenSplits() {}

  /**
   * Parts that cover a file in order.
   *
   * @param targetBytes the length of each but the last, which may be half as long again, so that
   *     none is tiny
   */
  public static List<FileSplit> of(Blob file, long targetBytes) {
    if (targetBytes < 1) {
      throw new IllegalArgumentException(
          "splits of " + targetBytes + " bytes cannot be made; use 1 or more");
    }
    List<FileSplit> splits = new ArrayList<>();
    for (long start = 0; start < file.length(); ) {
      long rest = file.length() - start;
      long length = rest < targetBytes + targetBytes / 2 ? rest : targetBytes;
      splits.add(new FileSplit(file, start, length));
      start += length;
    }
    return splits;
  }
}
