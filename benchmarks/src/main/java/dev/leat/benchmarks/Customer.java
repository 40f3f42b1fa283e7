package dev.leat.benchmarks;

/** A row of the reference table. */
record Customer(
    String customerId, String subscriptionTier, String countryCode, String accountStatus) {

  /** A number that depends on all that a lookup gives, so that nothing of it can be left out. */
  int used() {
    return subscriptionTier.length()
        + countryCode.length()
        + accountStatus.length()
        + customerId.length();
  }
}
