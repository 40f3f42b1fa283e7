/**
 * What a user of Leat names: a {@link dev.leat.Dimension} and the policies that say how it is read,
 * refreshed and joined.
 *
 * <p>Front door: {@link dev.leat.Dimension#named(String)}.
 */
@NullMarked
package dev.leat;

import org.jspecify.annotations.NullMarked;
