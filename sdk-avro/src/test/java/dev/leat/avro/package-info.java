/** Tests of Avro as a format; what it reads is compared with Hive in the integration tests. */
@NullMarked
package dev.leat.avro;

import org.jspecify.annotations.NullMarked;
