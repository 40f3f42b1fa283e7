/** Tables of a real Hive metastore, whose data is in a real S3 behind a real Alluxio. */
package dev.leat.it.hive;
