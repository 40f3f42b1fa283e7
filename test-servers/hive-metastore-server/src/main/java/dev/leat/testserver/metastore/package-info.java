/**
 * A Hive metastore as a child process; {@link dev.leat.testserver.metastore.HiveMetastoreServer} is
 * its main class.
 */
@NullMarked
package dev.leat.testserver.metastore;

import org.jspecify.annotations.NullMarked;
