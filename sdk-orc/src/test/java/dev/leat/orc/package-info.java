/** Tests of Orc as a format; what it reads is compared with Hive in the integration tests. */
@NullMarked
package dev.leat.orc;

import org.jspecify.annotations.NullMarked;
