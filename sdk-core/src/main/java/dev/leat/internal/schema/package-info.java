/**
 * The schema of a dimension: which columns of the source are kept, as which types, and which
 * components of the target and the key read them.
 *
 * <p>Front door: {@link dev.leat.internal.schema.TableSchema#resolve}.
 */
@NullMarked
package dev.leat.internal.schema;

import org.jspecify.annotations.NullMarked;
