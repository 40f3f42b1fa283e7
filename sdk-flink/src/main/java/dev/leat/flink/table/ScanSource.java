package dev.leat.flink.table;

import java.util.List;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.table.data.RowData;

/** All rows of a table, once: the version that it has when the job starts. */
final class ScanSource implements Source<RowData, ScanSplit, ScanSplit.Progress> {
  private static final long serialVersionUID = 1L;

  private final ScanPlan plan;

  ScanSource(ScanPlan plan) {
    this.plan = plan;
  }

  @Override
  public Boundedness getBoundedness() {
    return Boundedness.BOUNDED;
  }

  @Override
  public SourceReader<RowData, ScanSplit> createReader(SourceReaderContext context) {
    return new ScanReader(plan, context);
  }

  @Override
  public SplitEnumerator<ScanSplit, ScanSplit.Progress> createEnumerator(
      SplitEnumeratorContext<ScanSplit> context) {
    return new ScanEnumerator(context, new ScanSplit.Progress(false, List.of()));
  }

  @Override
  public SplitEnumerator<ScanSplit, ScanSplit.Progress> restoreEnumerator(
      SplitEnumeratorContext<ScanSplit> context, ScanSplit.Progress checkpoint) {
    return new ScanEnumerator(context, checkpoint);
  }

  @Override
  public SimpleVersionedSerializer<ScanSplit> getSplitSerializer() {
    return new ScanSplit.Serializer();
  }

  @Override
  public SimpleVersionedSerializer<ScanSplit.Progress> getEnumeratorCheckpointSerializer() {
    return new ScanSplit.Progress.Serializer();
  }
}
