/**
 * What may not be seen by others: planted secrets are looked for wherever they could come to light,
 * and every way to credentials is tried on a real server.
 *
 * <p>Front door: {@code SecretsIT}.
 */
@NullMarked
package dev.leat.it.security;

import org.jspecify.annotations.NullMarked;
