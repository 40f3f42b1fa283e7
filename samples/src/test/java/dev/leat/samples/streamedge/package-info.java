/** The tests that a user would write for the job, with Leat's testkit and without any server. */
@NullMarked
package dev.leat.samples.streamedge;

import org.jspecify.annotations.NullMarked;
