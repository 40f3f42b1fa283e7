package dev.leat.samples.quickstart;

import dev.leat.Dimension;
import dev.leat.LocalDisk;
import dev.leat.flink.Enrichment;
import dev.leat.format.DelimitedText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.CloseableIterator;

/** Joins five plays with the three customers of a text file, and prints what comes out. */
public final class Quickstart {

  /** Somebody watched a video. */
  public record Play(String customerId, String video) {}

  /** What the job wants to know about a customer: two of the file's three columns. */
  public record Customer(String customerId, String subscriptionTier) {}

  /** A play with what is known about the customer. */
  public record Watched(String customerId, String tier, String video) {
    static Watched of(Play play, Optional<Customer> customer) {
      return new Watched(
          play.customerId(),
          customer.map(Customer::subscriptionTier).orElse("unknown"),
          play.video());
    }
  }

  private Quickstart() {}

  /** Runs the job in this process. */
  public static void main(String... args) throws Exception {
    Path directory = Files.createTempDirectory("leat-quickstart-");
    Path file = directory.resolve("customers.txt");
    try {
      Files.writeString(file, "ann|premium|CL\nbo|free|CI\ncy|basic|IN\n");
      StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
      DataStream<Play> plays =
          env.fromData(
              new Play("ann", "Mills of the Alps"),
              new Play("bo", "Canals of Venice"),
              new Play("dee", "Canals of Venice"),
              new Play("cy", "Mills of the Alps"),
              new Play("ann", "A Leat on Dartmoor"));
      try (CloseableIterator<Watched> watched =
          enrich(plays, directory.toUri().toString()).executeAndCollect("quickstart")) {
        watched.forEachRemaining(System.out::println);
      }
    } finally {
      Files.delete(file);
      Files.delete(directory);
    }
  }

  /** The join, for customers in the files below {@code location}. */
  static DataStream<Watched> enrich(DataStream<Play> plays, String location) {
    // tag::join[]
    Dimension<String, Customer> customers =
        Dimension.named("customers")
            .at(location)
            .rows(
                Customer.class,
                DelimitedText.separatedBy('|')
                    .columns("customer_id", "subscription_tier", "country_code"))
            .keyedBy(String.class, "customer_id");

    return Enrichment.from(plays)
        .leftJoin(customers)
        .on(Play::customerId)
        .cachedIn(LocalDisk.defaults())
        .combine(Watched::of, Watched.class);
    // end::join[]
  }
}
