package dev.leat.it.text;

import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Makes columns of all types, and nested ones of them. */
final class RandomTypes {
  private final Random random;

  RandomTypes(Random random) {
    this.random = random;
  }

  /** One column of each type without parts, and a few with parts, in any order. */
  List<Column> columns(int nested, int depth) {
    List<ColumnType> types = new ArrayList<>(scalars());
    for (int i = 0; i < nested; i++) {
      types.add(nested(i % 3, depth));
    }
    Collections.shuffle(types, random);
    List<Column> columns = new ArrayList<>();
    for (ColumnType type : types) {
      columns.add(new Column("c" + columns.size(), type));
    }
    return columns;
  }

  private List<ColumnType> scalars() {
    int precision = 1 + random.nextInt(38);
    return List.of(
        ColumnType.BOOLEAN,
        ColumnType.TINYINT,
        ColumnType.SMALLINT,
        ColumnType.INT,
        ColumnType.BIGINT,
        ColumnType.FLOAT,
        ColumnType.DOUBLE,
        ColumnType.STRING,
        ColumnType.DATE,
        ColumnType.TIMESTAMP,
        ColumnType.BINARY,
        ColumnType.decimal(1 + random.nextInt(18), 0),
        ColumnType.decimal(precision, random.nextInt(precision + 1)),
        ColumnType.character(1 + random.nextInt(9)),
        ColumnType.varchar(1 + random.nextInt(9)));
  }

  private ColumnType nested(int form, int depth) {
    return switch (form) {
      case 0 -> ColumnType.array(part(depth - 1));
      case 1 -> ColumnType.map(key(), part(depth - 1));
      default -> {
        List<Column> fields = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
          fields.add(new Column("f" + i, part(depth - 1)));
        }
        yield ColumnType.struct(fields);
      }
    };
  }

  /** Of a type for which nothing that Hive reads is NULL, since we have no such keys. */
  private ColumnType key() {
    List<ColumnType> types =
        List.of(
            ColumnType.STRING,
            ColumnType.STRING,
            ColumnType.STRING,
            ColumnType.varchar(5),
            ColumnType.INT,
            ColumnType.BIGINT,
            ColumnType.DATE);
    return types.get(random.nextInt(types.size()));
  }

  private ColumnType part(int depth) {
    return depth > 0 && random.nextInt(3) == 0 ? nested(random.nextInt(3), depth) : scalar();
  }

  private ColumnType scalar() {
    List<ColumnType> types = scalars();
    return types.get(random.nextInt(types.size()));
  }
}
