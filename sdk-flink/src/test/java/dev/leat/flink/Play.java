package dev.leat.flink;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** An event of the tests. */
public record Play(@Nullable String customerId, String video, long seconds)
    implements Serializable {}
