package dev.leat.internal.engine;

import dev.leat.internal.engine.source.SourceVersion;
import dev.leat.internal.engine.source.VersionName;
import java.util.Optional;

/**
 * What a look has found.
 *
 * @param name the version that is wanted
 * @param source the version with its files, as the source has it; empty where the dimension is
 *     pinned, when the source is not asked
 */
record Sight(VersionName name, Optional<SourceVersion> source) {}
