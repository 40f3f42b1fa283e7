/**
 * Dimensions whose definition is a table of a Hive metastore. Begin with {@link
 * dev.leat.hive.HiveMetastore#at}.
 */
@NullMarked
package dev.leat.hive;

import org.jspecify.annotations.NullMarked;
