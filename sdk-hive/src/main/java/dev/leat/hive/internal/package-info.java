/**
 * What a metastore says of its databases, tables and partitions, in Leat's terms; not for users.
 * The front door is {@link dev.leat.hive.internal.MetastoreClient}.
 */
@NullMarked
package dev.leat.hive.internal;

import org.jspecify.annotations.NullMarked;
