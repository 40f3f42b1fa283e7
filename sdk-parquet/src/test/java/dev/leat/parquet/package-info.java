/** Tests of Parquet as a format; what it reads is compared with Hive in the integration tests. */
@NullMarked
package dev.leat.parquet;

import org.jspecify.annotations.NullMarked;
