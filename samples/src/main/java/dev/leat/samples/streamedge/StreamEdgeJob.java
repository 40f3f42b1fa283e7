package dev.leat.samples.streamedge;

import dev.leat.Dimension;
import dev.leat.LocalDisk;
import dev.leat.Refresh;
import dev.leat.alluxio.Alluxio;
import dev.leat.flink.Enrichment;
import dev.leat.format.DelimitedText;
import dev.leat.s3.S3;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Enriches video plays with the customer who watched, and writes each exactly once.
 *
 * <pre>
 *   Kafka: plays ──▶ join with customers ──▶ Kafka: enriched plays
 *                      ▲
 *     local disk ◀── Alluxio ◀── S3: customers, '|'-delimited text
 * </pre>
 *
 * <p>Runs on any cluster, packed into a jar with the libraries that it uses: {@code flink run -c
 * dev.leat.samples.streamedge.StreamEdgeJob job.jar --kafka broker:9092 --customers
 * s3a://bucket/customers/ --alluxio alluxio://master:19998 …}; {@link StreamEdgeArguments} has them
 * all. The credentials for S3 are none of them: Hadoop finds them where it always does, in a
 * credential provider, the environment or an instance role.
 */
public final class StreamEdgeJob {

  private StreamEdgeJob() {}

  /** Submits the job to the cluster that runs this. */
  public static void main(String... args) throws Exception {
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
    define(env, StreamEdgeArguments.parse(args));
    env.execute("StreamEdge");
  }

  /** Defines the job. */
  public static void define(StreamExecutionEnvironment env, StreamEdgeArguments arguments) {
    env.enableCheckpointing(arguments.checkpointInterval().toMillis());
    DataStream<VideoPlay> plays =
        env.fromSource(
                plays(arguments),
                WatermarkStrategy.<VideoPlay>forBoundedOutOfOrderness(Duration.ofSeconds(5))
                    .withTimestampAssigner((play, recordTime) -> play.startedAt()),
                "plays")
            .uid("plays");
    enrich(
            plays,
            customers(arguments),
            Refresh.every(arguments.refreshInterval()),
            LocalDisk.at(arguments.localDisk()),
            alluxio(arguments))
        .sinkTo(enrichedPlays(arguments))
        .name("enriched plays")
        .uid("enriched-plays");
  }

  /** The join: where the customers are, by which key they are found, and what a play becomes. */
  static DataStream<EnrichedPlay> enrich(
      DataStream<VideoPlay> plays,
      Dimension<String, Customer> customers,
      Refresh refresh,
      LocalDisk disk,
      Alluxio alluxio) {
    return Enrichment.from(plays)
        .leftJoin(customers)
        .on(VideoPlay::customerId)
        .cachedIn(disk, alluxio)
        .refresh(refresh)
        .named("customers")
        .uid("customers")
        .combine(EnrichedPlay::of, EnrichedPlay.class);
  }

  /** The cache, in which the bucket of the customers is mounted. */
  public static Alluxio alluxio(StreamEdgeArguments arguments) {
    return Alluxio.at(arguments.alluxio()).mapping(arguments.bucket(), arguments.alluxioPath());
  }

  /** Where S3 is. The credentials are found by Hadoop. */
  public static S3 s3(StreamEdgeArguments arguments) {
    return S3.settings()
        .endpoint(arguments.s3Endpoint())
        .pathStyleAccess()
        .credentialProviderPath(arguments.s3Credentials());
  }

  /** The customers where the arguments say. */
  public static Dimension<String, Customer> customers(StreamEdgeArguments arguments) {
    return customers(Dimension.named("customers").at(arguments.customers(), s3(arguments)));
  }

  /**
   * The table as the tool that generates TPC-DS writes it, with four columns more; an empty cell is
   * a NULL.
   */
  static Dimension<String, Customer> customers(Dimension.LocatedStage located) {
    return located
        .rows(
            Customer.class,
            DelimitedText.separatedBy('|')
                .columns(CustomerColumns.NAMES)
                .nullMarker("")
                .charset(StandardCharsets.ISO_8859_1))
        .keyedBy(String.class, "customer_id");
  }

  private static KafkaSource<VideoPlay> plays(StreamEdgeArguments arguments) {
    return KafkaSource.<VideoPlay>builder()
        .setBootstrapServers(arguments.kafka())
        .setTopics(arguments.playsTopic())
        .setGroupId("streamedge")
        .setStartingOffsets(OffsetsInitializer.earliest())
        .setValueOnlyDeserializer(JsonValue.of(VideoPlay.class))
        .build();
  }

  private static KafkaSink<EnrichedPlay> enrichedPlays(StreamEdgeArguments arguments) {
    return KafkaSink.<EnrichedPlay>builder()
        .setBootstrapServers(arguments.kafka())
        .setRecordSerializer(
            KafkaRecordSerializationSchema.<EnrichedPlay>builder()
                .setTopic(arguments.enrichedTopic())
                .setValueSerializationSchema(JsonValue.of(EnrichedPlay.class))
                .build())
        .setDeliveryGuarantee(DeliveryGuarantee.EXACTLY_ONCE)
        // Two jobs at a time must not have the same.
        .setTransactionalIdPrefix("streamedge-" + arguments.enrichedTopic())
        .setProperty("transaction.timeout.ms", "600000")
        .build();
  }
}
