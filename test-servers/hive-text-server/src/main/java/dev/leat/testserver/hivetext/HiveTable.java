package dev.leat.testserver.hivetext;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.ql.io.avro.AvroContainerInputFormat;
import org.apache.hadoop.hive.ql.io.orc.OrcInputFormat;
import org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat;
import org.apache.hadoop.hive.serde2.AbstractSerDe;
import org.apache.hadoop.hive.serde2.ColumnProjectionUtils;
import org.apache.hadoop.hive.serde2.objectinspector.StructObjectInspector;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapred.FileSplit;
import org.apache.hadoop.mapred.InputFormat;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RecordReader;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapred.TextInputFormat;

/** A table of one file, with the serde and the input format that Hive has for it. */
final class HiveTable {
  private final AbstractSerDe serde;
  private final JobConf conf;
  private final InputFormat<?, ?> format;

  /**
   * Opens a table.
   *
   * @param table its properties; {@code serialization.lib} is the class of the serde
   */
  HiveTable(Properties table) throws Exception {
    String lib =
        table.getProperty(
            "serialization.lib", "org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe");
    conf = new JobConf(new Configuration());
    for (String name : table.stringPropertyNames()) {
      conf.set(name, table.getProperty(name));
    }
    ColumnProjectionUtils.setReadAllColumns(conf);
    serde =
        Class.forName(lib).asSubclass(AbstractSerDe.class).getDeclaredConstructor().newInstance();
    serde.initialize(conf, table, null);
    if (lib.endsWith("ParquetHiveSerDe")) {
      format = new MapredParquetInputFormat();
    } else if (lib.endsWith("OrcSerde")) {
      conf.set("schema.evolution.columns", table.getProperty("columns"));
      conf.set("schema.evolution.columns.types", table.getProperty("columns.types"));
      format = new OrcInputFormat();
    } else if (lib.endsWith("AvroSerDe")) {
      format = new AvroContainerInputFormat();
    } else {
      TextInputFormat text = new TextInputFormat();
      text.configure(conf);
      format = text;
    }
  }

  StructObjectInspector inspector() throws Exception {
    return (StructObjectInspector) serde.getObjectInspector();
  }

  /** The row of a record. */
  Object row(Writable record) throws Exception {
    return serde.deserialize(record);
  }

  /** The records of a file. */
  @SuppressWarnings("unchecked")
  Records records(Path file) throws IOException {
    FileSplit split =
        new FileSplit(
            new org.apache.hadoop.fs.Path(file.toUri()), 0, Files.size(file), (String[]) null);
    return new Records(
        (RecordReader<Object, Writable>) format.getRecordReader(split, conf, Reporter.NULL));
  }

  /** The records of one file, in order. */
  static final class Records implements Closeable {
    private final RecordReader<Object, Writable> reader;
    private final Object key;
    private final Writable value;

    Records(RecordReader<Object, Writable> reader) {
      this.reader = reader;
      this.key = reader.createKey();
      this.value = reader.createValue();
    }

    /** Whether there is one more, which then is {@link #current}. */
    boolean next() throws IOException {
      return reader.next(key, value);
    }

    Writable current() {
      return value;
    }

    @Override
    public void close() throws IOException {
      reader.close();
    }
  }
}
