/** The rules of the architecture and the pinned surfaces of the published artifacts. */
@NullMarked
package dev.leat.it.rules;

import org.jspecify.annotations.NullMarked;
