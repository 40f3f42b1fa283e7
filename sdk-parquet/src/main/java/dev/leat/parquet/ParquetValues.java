package dev.leat.parquet;

import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import dev.leat.internal.cell.Coercion;
import dev.leat.internal.cell.HybridCalendar;
import dev.leat.spi.Blob;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.parquet.hadoop.metadata.FileMetaData;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DateLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;

/**
 * The values of primitive fields, dates and timestamps as Hive's {@code ETypeConverter} reads them.
 */
final class ParquetValues {
  /** The Julian day of 1970-01-01. */
  private static final int EPOCH_JULIAN_DAY = 2_440_588;

  private static final long NANOS_PER_SECOND = 1_000_000_000;
  private static final int SECONDS_PER_DAY = 86_400;

  private final ZoneId instantZone;
  private final ZoneId int96Zone;
  private final boolean hybridDates;

  ParquetValues(FileMetaData metadata, ZoneId zone) {
    Map<String, String> extra = metadata.getKeyValueMetaData();
    String writerZone = extra.get("writer.time.zone");
    String createdBy = metadata.getCreatedBy() == null ? "" : metadata.getCreatedBy();
    this.instantZone = zone;
    // Hive writes its zone into its files, so that what was local stays local; files of others
    // than parquet-mr (Impala) hold local times.
    this.int96Zone =
        writerZone != null
            ? ZoneId.of(writerZone)
            : createdBy.startsWith("parquet-mr") ? zone : ZoneOffset.UTC;
    this.hybridDates = !Boolean.parseBoolean(extra.get("writer.date.proleptic"));
  }

  Converter converter(
      Column column, Blob file, PrimitiveType field, ColumnType type, Consumer<Object> out) {
    LogicalTypeAnnotation logical = field.getLogicalTypeAnnotation();
    return new PrimitiveConverter() {
      private void accept(Object raw) {
        Object value = Coercion.to(type, raw);
        out.accept(value == null ? ParquetTree.MISFIT : value);
      }

      @Override
      public void addBoolean(boolean value) {
        accept(value);
      }

      @Override
      public void addFloat(float value) {
        accept(value);
      }

      @Override
      public void addDouble(double value) {
        accept(value);
      }

      @Override
      public void addInt(int value) {
        if (logical instanceof DecimalLogicalTypeAnnotation decimal) {
          accept(BigDecimal.valueOf(value, decimal.getScale()));
        } else if (logical instanceof DateLogicalTypeAnnotation) {
          accept(date(value));
        } else if (logical instanceof IntLogicalTypeAnnotation whole && !whole.isSigned()) {
          accept(Integer.toUnsignedLong(value));
        } else {
          accept((long) value);
        }
      }

      @Override
      public void addLong(long value) {
        if (logical instanceof DecimalLogicalTypeAnnotation decimal) {
          accept(BigDecimal.valueOf(value, decimal.getScale()));
        } else if (logical instanceof TimestampLogicalTypeAnnotation timestamp) {
          accept(timestamp(value, timestamp));
        } else if (logical instanceof IntLogicalTypeAnnotation whole && !whole.isSigned()) {
          accept(new BigDecimal(Long.toUnsignedString(value)));
        } else {
          accept(value);
        }
      }

      @Override
      public void addBinary(Binary value) {
        if (field.getPrimitiveTypeName() == PrimitiveType.PrimitiveTypeName.INT96) {
          accept(int96(value));
        } else if (logical instanceof DecimalLogicalTypeAnnotation decimal) {
          accept(new BigDecimal(new BigInteger(value.getBytes()), decimal.getScale()));
        } else if (ParquetTypes.isText(logical)) {
          accept(new String(value.getBytes(), StandardCharsets.UTF_8));
        } else {
          accept(value.getBytes());
        }
      }
    };
  }

  private LocalDate date(int days) {
    return hybridDates ? HybridCalendar.date(days) : LocalDate.ofEpochDay(days);
  }

  private LocalDateTime timestamp(long value, TimestampLogicalTypeAnnotation type) {
    long perSecond =
        switch (type.getUnit()) {
          case MILLIS -> 1_000;
          case MICROS -> 1_000_000;
          case NANOS -> NANOS_PER_SECOND;
        };
    long seconds = Math.floorDiv(value, perSecond);
    int nanos = (int) (Math.floorMod(value, perSecond) * (NANOS_PER_SECOND / perSecond));
    return type.isAdjustedToUTC()
        ? LocalDateTime.ofInstant(Instant.ofEpochSecond(seconds, nanos), instantZone)
        : LocalDateTime.ofEpochSecond(seconds, nanos, ZoneOffset.UTC);
  }

  private LocalDateTime int96(Binary value) {
    ByteBuffer bytes = ByteBuffer.wrap(value.getBytes()).order(ByteOrder.LITTLE_ENDIAN);
    long nanosOfDay = bytes.getLong();
    // Hive follows the old calendar here, whatever the file says of its dates.
    long day = HybridCalendar.date(bytes.getInt() - (long) EPOCH_JULIAN_DAY).toEpochDay();
    Instant instant =
        Instant.ofEpochSecond(
            day * SECONDS_PER_DAY + Math.floorDiv(nanosOfDay, NANOS_PER_SECOND),
            Math.floorMod(nanosOfDay, NANOS_PER_SECOND));
    return LocalDateTime.ofInstant(instant, int96Zone);
  }
}
