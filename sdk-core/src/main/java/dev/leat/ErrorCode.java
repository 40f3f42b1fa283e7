package dev.leat;

/**
 * The stable code of everything that can go wrong in Leat; {@code docs/errors.md} says for each
 * what it means and what to do. A code never changes its meaning and is never reused.
 */
public enum ErrorCode {
  /** The definition of a dimension contradicts itself or its target type. */
  INVALID_DEFINITION("LEAT-1001"),
  /** A target's component or key column has no column in the source. */
  COLUMN_NOT_FOUND("LEAT-1002"),
  /** A column's type cannot be held by the target's component. */
  TYPE_MISMATCH("LEAT-1003"),
  /** No store is on the class path for the location's scheme. */
  NO_STORE_FOR_SCHEME("LEAT-1004"),
  /**
   * A file is compressed in a way that cannot be read, or the library that reads it is not there.
   */
  CODEC_NOT_FOUND("LEAT-1005"),

  /** Nothing was found at the location of the dimension. */
  SOURCE_NOT_FOUND("LEAT-2001"),
  /** The location exists and cannot be read. */
  SOURCE_UNREADABLE("LEAT-2002"),
  /** The credentials were refused, or there are none. */
  ACCESS_DENIED("LEAT-2003"),
  /** The source kept changing while it was being read. */
  SOURCE_CHANGING("LEAT-2004"),
  /** A row was malformed and the policy says to fail, or too many were. */
  MALFORMED_ROWS("LEAT-2005"),
  /** A dimension key stands on several rows and the policy says to fail. */
  DUPLICATE_KEY("LEAT-2006"),
  /** The source did not answer in time. */
  SOURCE_TIMEOUT("LEAT-2007"),
  /** A new version has fewer rows than the guard allows, and is not served. */
  VERSION_HELD_BACK("LEAT-2008"),
  /** The file that marks the table as complete is not there. */
  SOURCE_INCOMPLETE("LEAT-2009"),

  /** An index file is damaged, truncated, or not an index at all. */
  INDEX_DAMAGED("LEAT-3001"),
  /** An index was written in a format version that this release cannot read. */
  INDEX_FORMAT_UNSUPPORTED("LEAT-3002"),
  /** The local disk is full or the index does not fit its budget. */
  DISK_FULL("LEAT-3003"),
  /** The local directory cannot be used. */
  DISK_UNUSABLE("LEAT-3004"),
  /** Building the index was cancelled. */
  BUILD_CANCELLED("LEAT-3005"),
  /** A row or key is larger than the index format allows. */
  ROW_TOO_LARGE("LEAT-3006"),

  /** A cache tier could not be opened or used. */
  TIER_UNAVAILABLE("LEAT-4001"),
  /** The cache tier does not know the location, e.g. it lies under no mount point. */
  TIER_NOT_MAPPED("LEAT-4002"),

  /** The served version is older than the staleness policy allows. */
  STALE("LEAT-5001"),
  /** The key of a lookup cannot be encoded. */
  INVALID_KEY("LEAT-5002"),
  /** The version of a checkpoint or savepoint can no longer be had. */
  VERSION_GONE("LEAT-5003"),
  /** A dimension is pinned to something that is no version, or to one that is not kept. */
  PIN_UNUSABLE("LEAT-5004"),

  /** The Hive metastore does not answer, or answers with an error. */
  METASTORE_UNAVAILABLE("LEAT-6001"),
  /** The Hive metastore has no such table or database. */
  TABLE_NOT_FOUND("LEAT-6002"),
  /**
   * The table is defined in a way that Leat does not read: a view, a transactional table, a serde.
   */
  UNSUPPORTED_TABLE("LEAT-6003"),
  /** A column of the table has a type that Leat does not have. */
  UNSUPPORTED_COLUMN_TYPE("LEAT-6004"),
  /** The jar that reads the table's format is not on the class path. */
  FORMAT_NOT_FOUND("LEAT-6005"),
  /** The metastore wants Kerberos, a password, TLS or Thrift over HTTP. */
  UNSUPPORTED_METASTORE("LEAT-6006");

  private final String code;

  ErrorCode(String code) {
    this.code = code;
  }

  /** The code as it stands in messages and in {@code docs/errors.md}, e.g. {@code LEAT-2001}. */
  public String code() {
    return code;
  }
}
