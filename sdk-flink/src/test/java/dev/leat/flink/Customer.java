package dev.leat.flink;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** A row of the tests. */
public record Customer(String customerId, String tier, @Nullable String country)
    implements Serializable {}
