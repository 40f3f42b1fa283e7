/** Tests of Leat against real servers, and of its build. */
@NullMarked
package dev.leat.it;

import org.jspecify.annotations.NullMarked;
