/** Tests of the sample's parts that need no server. */
@NullMarked
package dev.leat.samples.sql;

import org.jspecify.annotations.NullMarked;
