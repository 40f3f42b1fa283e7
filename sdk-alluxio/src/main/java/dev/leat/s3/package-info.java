/**
 * S3 as a source of dimensions, through Hadoop's S3A client. Front door: {@link dev.leat.s3.S3},
 * whose settings are needed only where the place's own Hadoop or Flink configuration does not say
 * how to reach the bucket.
 */
@NullMarked
package dev.leat.s3;

import org.jspecify.annotations.NullMarked;
