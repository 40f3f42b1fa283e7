package dev.leat.samples.streamedge;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A play with what is known about the customer.
 *
 * @param subscriptionTier null, as all that follow, where the customer is not known
 * @param validVersion the edition of the customers' table that the row is from
 */
public record EnrichedPlay(
    long eventId,
    @Nullable String customerId,
    String videoId,
    long startedAt,
    int seconds,
    @Nullable String subscriptionTier,
    @Nullable String countryCode,
    @Nullable String accountStatus,
    @Nullable Integer validVersion) {

  static EnrichedPlay of(VideoPlay play, Optional<Customer> customer) {
    return new EnrichedPlay(
        play.eventId(),
        play.customerId(),
        play.videoId(),
        play.startedAt(),
        play.seconds(),
        customer.map(Customer::subscriptionTier).orElse(null),
        customer.map(Customer::countryCode).orElse(null),
        customer.map(Customer::accountStatus).orElse(null),
        customer.map(Customer::validVersion).orElse(null));
  }
}
