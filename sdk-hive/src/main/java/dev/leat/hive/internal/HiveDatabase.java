package dev.leat.hive.internal;

import java.util.Map;

/**
 * A database of a metastore.
 *
 * @param name its name
 * @param comment what it is for, may be empty
 * @param parameters its properties
 */
public record HiveDatabase(String name, String comment, Map<String, String> parameters) {}
