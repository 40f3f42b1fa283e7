package dev.leat.flink;

import java.io.Serializable;
import java.util.Optional;

/** An output of the tests. */
public record EnrichedPlay(String video, String tier) implements Serializable {

  /** Of an inner join. */
  public static EnrichedPlay of(Play play, Customer customer) {
    return new EnrichedPlay(play.video(), customer.tier());
  }

  /** Of a left join. */
  public static EnrichedPlay ofMaybe(Play play, Optional<Customer> customer) {
    return new EnrichedPlay(play.video(), customer.map(Customer::tier).orElse("none"));
  }
}
