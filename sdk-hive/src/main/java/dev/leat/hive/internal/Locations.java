package dev.leat.hive.internal;

import dev.leat.spi.Blob;
import java.net.URI;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Locations as Hadoop writes them: not percent-encoded, so that each character is itself. */
final class Locations {
  private static final Pattern LOCATION =
      Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*):(?://([^/]*))?(/.*)?");

  private Locations() {}

  static URI uriOf(TableName table, String location) {
    Matcher parts = LOCATION.matcher(location);
    if (!parts.matches()) {
      throw HiveTable.unsupported(
          table,
          "lies at '" + location + "', which has no scheme",
          "ALTER TABLE … SET LOCATION with e.g. s3a://bucket/path");
    }
    String authority = parts.group(2);
    String path = parts.group(3);
    return Blob.uriOf(
        parts.group(1),
        authority == null || authority.isEmpty() ? null : authority,
        path == null ? "/" : path);
  }
}
