package dev.leat.internal.engine.repository;

import dev.leat.internal.index.Index;
import java.nio.file.Path;

/**
 * An index of the local disk that is mapped.
 *
 * @param versionId its version
 * @param directory where its files are
 * @param identity tells this directory from one that may take its place later
 * @param index the index
 */
public record LocalIndex(String versionId, Path directory, Object identity, Index index) {}
