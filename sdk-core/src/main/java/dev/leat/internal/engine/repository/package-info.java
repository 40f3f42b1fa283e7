/**
 * Where indexes of versions are kept: a directory of the host that all processes on it share, and a
 * directory of a remote tier that all hosts share.
 *
 * <p>Front doors: {@link dev.leat.internal.engine.repository.LocalRepository} and {@link
 * dev.leat.internal.engine.repository.RemoteRepository}.
 */
@NullMarked
package dev.leat.internal.engine.repository;

import org.jspecify.annotations.NullMarked;
