package dev.leat.parquet;

import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.schema.Type;

/** Takes what nobody asked for but what cannot be left out of the file's schema. */
final class Ignored {
  private Ignored() {}

  static Converter of(Type field) {
    if (field.isPrimitive()) {
      return new IgnoredPrimitive();
    }
    Converter[] parts =
        field.asGroupType().getFields().stream().map(Ignored::of).toArray(Converter[]::new);
    return new GroupConverter() {
      @Override
      public Converter getConverter(int part) {
        return parts[part];
      }

      @Override
      public void start() {}

      @Override
      public void end() {}
    };
  }

  private static final class IgnoredPrimitive extends PrimitiveConverter {
    @Override
    public void addBinary(Binary value) {}

    @Override
    public void addBoolean(boolean value) {}

    @Override
    public void addDouble(double value) {}

    @Override
    public void addFloat(float value) {}

    @Override
    public void addInt(int value) {}

    @Override
    public void addLong(long value) {}
  }
}
