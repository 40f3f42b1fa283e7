/** Tests of what is common to all samples. */
@NullMarked
package dev.leat.samples;

import org.jspecify.annotations.NullMarked;
