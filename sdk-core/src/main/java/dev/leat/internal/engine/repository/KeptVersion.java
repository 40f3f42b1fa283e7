package dev.leat.internal.engine.repository;

import dev.leat.internal.engine.source.VersionName;
import java.time.Instant;

/**
 * A version whose index is kept somewhere.
 *
 * @param name the version
 * @param since on the local disk, when the source was last seen to have it; in a remote tier, when
 *     it was published
 */
public record KeptVersion(VersionName name, Instant since) {}
