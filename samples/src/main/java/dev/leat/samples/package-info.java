/** Runnable jobs that use Leat through its public API only. */
@NullMarked
package dev.leat.samples;

import org.jspecify.annotations.NullMarked;
