package dev.leat.flink.internal;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.metrics.CharacterFilter;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Histogram;
import org.apache.flink.metrics.Meter;
import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.SimpleCounter;

/** A metric group that remembers what was registered in it; refuses a name that it has already. */
final class RecordingMetricGroup implements MetricGroup {
  private final String prefix;
  private final Map<String, Metric> metrics;

  RecordingMetricGroup() {
    this("", new TreeMap<>());
  }

  private RecordingMetricGroup(String prefix, Map<String, Metric> metrics) {
    this.prefix = prefix;
    this.metrics = metrics;
  }

  Map<String, Metric> metrics() {
    return metrics;
  }

  Metric metric(String name) {
    return requireNonNull(metrics.get(name), () -> name + " is not among " + metrics.keySet());
  }

  @Override
  public Counter counter(String name) {
    return counter(name, new SimpleCounter());
  }

  @Override
  public <C extends Counter> C counter(String name, C counter) {
    return add(name, counter);
  }

  @Override
  public <T, G extends Gauge<T>> G gauge(String name, G gauge) {
    return add(name, gauge);
  }

  @Override
  public <H extends Histogram> H histogram(String name, H histogram) {
    return add(name, histogram);
  }

  @Override
  public <M extends Meter> M meter(String name, M meter) {
    return add(name, meter);
  }

  @Override
  public MetricGroup addGroup(String name) {
    return new RecordingMetricGroup(prefix + name + ".", metrics);
  }

  @Override
  public MetricGroup addGroup(String key, String value) {
    return new RecordingMetricGroup(prefix + key + "." + value + ".", metrics);
  }

  @Override
  public String[] getScopeComponents() {
    return prefix.split("\\.");
  }

  @Override
  public Map<String, String> getAllVariables() {
    return Map.of();
  }

  @Override
  public String getMetricIdentifier(String metricName) {
    return prefix + metricName;
  }

  @Override
  public String getMetricIdentifier(String metricName, CharacterFilter filter) {
    return filter.filterCharacters(prefix + metricName);
  }

  private <M extends Metric> M add(String name, M metric) {
    if (metrics.putIfAbsent(prefix + name, metric) != null) {
      throw new AssertionError("the metric " + prefix + name + " is registered twice");
    }
    return metric;
  }
}
