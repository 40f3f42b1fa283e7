package dev.leat.flink.table;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.testutils.InMemoryReporter;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.DataTypes.Field;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;

/** What the tests with queries on a local Flink share. */
final class SqlCluster {
  private SqlCluster() {}

  /** A cluster that keeps its indexes in a directory. */
  static MiniClusterExtension in(Supplier<Path> host, int slots, InMemoryReporter metrics) {
    return new MiniClusterExtension(
        () -> {
          Configuration configuration = new Configuration();
          configuration.setString("io.tmp.dirs", host.get().toString());
          // Jobs of many queries at once have many channels.
          configuration.setString("taskmanager.memory.segment-size", "4kb");
          metrics.addToConfiguration(configuration);
          return new MiniClusterResourceConfiguration.Builder()
              .setConfiguration(configuration)
              .setNumberTaskManagers(1)
              .setNumberSlotsPerTaskManager(slots)
              .build();
        });
  }

  static Session streaming() {
    return session(RuntimeExecutionMode.STREAMING, EnvironmentSettings.inStreamingMode());
  }

  static Session batch() {
    return session(RuntimeExecutionMode.BATCH, EnvironmentSettings.inBatchMode());
  }

  private static Session session(RuntimeExecutionMode mode, EnvironmentSettings settings) {
    StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
    environment.setRuntimeMode(mode);
    environment.configure(Configuration.fromMap(Map.of("restart-strategy.type", "none")));
    return new Session(environment, StreamTableEnvironment.create(environment, settings));
  }

  private static TypeInformation<Row> typeOf(List<Field> fields) {
    return Types.ROW_NAMED(
        fields.stream().map(Field::getName).toArray(String[]::new),
        fields.stream()
            .map(field -> TypeInformation.of(conversionClass(field)))
            .toArray(TypeInformation[]::new));
  }

  private static Class<?> conversionClass(Field field) {
    return field.getDataType().getConversionClass();
  }

  /** Where the statements of a test run. */
  record Session(StreamExecutionEnvironment environment, StreamTableEnvironment tables) {

    /**
     * A view of rows.
     *
     * @param computed further columns, as name and expression
     */
    void createView(String name, List<Field> fields, List<Row> rows, Map<String, String> computed) {
      Schema.Builder schema = Schema.newBuilder();
      fields.forEach(field -> schema.column(field.getName(), field.getDataType()));
      computed.forEach(schema::columnByExpression);
      tables.createTemporaryView(
          name, tables.fromDataStream(environment.fromData(rows, typeOf(fields)), schema.build()));
    }

    /** The rows of a query, with their kinds. */
    List<Row> run(String query) throws Exception {
      List<Row> rows = new ArrayList<>();
      try (CloseableIterator<Row> result = tables.executeSql(query).collect()) {
        result.forEachRemaining(rows::add);
      }
      return rows;
    }

    /** Runs a statement that gives no rows. */
    void execute(String statement) {
      tables.executeSql(statement);
    }
  }
}
