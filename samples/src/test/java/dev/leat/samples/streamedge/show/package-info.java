/** Tests of the show's own parts: the data it makes and the check that judges the job. */
@NullMarked
package dev.leat.samples.streamedge.show;

import org.jspecify.annotations.NullMarked;
