package dev.leat.internal.schema;

import dev.leat.spi.Blob;
import java.net.URI;
import java.util.List;

/**
 * Which of the files below a dimension's location are data. As in Hadoop's {@code FileInputFormat}
 * and Hive, a name that begins with {@code _} or {@code .} is a marker or work in progress ({@code
 * _SUCCESS}, {@code .part-0.crc}), and so is everything in a directory of such a name.
 */
public final class SourceFiles {
  private SourceFiles() {}

  /**
   * The files of a listing that are data, in its order.
   *
   * @param location the dimension's location; its own path does not matter
   */
  public static List<Blob> dataFiles(URI location, List<Blob> listing) {
    return listing.stream().filter(file -> isData(location, file.uri())).toList();
  }

  /**
   * Whether a file is data, by its name and those of the directories between it and the location.
   */
  public static boolean isData(URI location, URI file) {
    String base = location.getPath();
    String path = file.getPath();
    String below = path.startsWith(base) ? path.substring(base.length()) : path;
    for (String name : below.split("/", -1)) {
      if (name.startsWith("_") || name.startsWith(".")) {
        return false;
      }
    }
    return true;
  }
}
