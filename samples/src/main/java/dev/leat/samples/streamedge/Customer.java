package dev.leat.samples.streamedge;

import org.jspecify.annotations.Nullable;

/**
 * What the job wants to know about a customer: five of the 22 columns that the table has. The
 * others are not kept.
 *
 * @param customerId the key
 * @param subscriptionTier free, basic, standard or premium
 * @param countryCode where the customer was born, as ISO 3166 has it, or null where it is not known
 * @param accountStatus active, suspended or closed
 * @param validVersion which edition of the table the row is from; the table's own column, by which
 *     the result can be checked exactly
 */
public record Customer(
    String customerId,
    String subscriptionTier,
    @Nullable String countryCode,
    String accountStatus,
    int validVersion) {}
