package dev.leat.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ColumnTypeTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "boolean",
        "tinyint",
        "smallint",
        "int",
        "bigint",
        "float",
        "double",
        "string",
        "date",
        "timestamp",
        "binary",
        "decimal(10,2)",
        "char(3)",
        "varchar(65535)",
        "array<int>",
        "map<string,array<struct<a:int,b:decimal(10,2)>>>",
        "struct<a:struct<b:struct<c:array<array<binary>>>>,d_1:map<date,char(2)>>",
        "struct<with blank:int,größe:string,`a:b``c`:int>"
      })
  void theTextOfATypeIsReadAndWrittenTheSame(String text) {
    assertThat(ColumnType.parse(text)).hasToString(text);
  }

  @Test
  void aliasesBlanksAndCapitalsAreReadAsHiveReadsThem() {
    assertThat(ColumnType.parse(" INTEGER ")).isEqualTo(ColumnType.INT);
    assertThat(ColumnType.parse("decimal")).isEqualTo(ColumnType.decimal(10, 0));
    assertThat(ColumnType.parse("numeric( 7 )")).isEqualTo(ColumnType.decimal(7, 0));
    assertThat(ColumnType.parse("dec(7, 3)")).isEqualTo(ColumnType.decimal(7, 3));
    assertThat(ColumnType.parse("Double Precision")).isEqualTo(ColumnType.DOUBLE);
    assertThat(ColumnType.parse("STRUCT< City : STRING , Zip:CHAR(5) >"))
        .isEqualTo(
            ColumnType.struct(
                new Column("City", ColumnType.STRING), new Column("Zip", ColumnType.character(5))));
    assertThat(ColumnType.parse("Map<String , Array<Int>>"))
        .isEqualTo(ColumnType.map(ColumnType.STRING, ColumnType.array(ColumnType.INT)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "text",
        "int int",
        "array",
        "array<",
        "array<>",
        "array<int",
        "array<int>>",
        "map<string>",
        "map<array<int>,string>",
        "struct<>",
        "struct<a>",
        "struct<a:int,A:int>",
        "struct<`a:int>",
        "decimal(39,1)",
        "decimal(5,6)",
        "decimal(x)",
        "char",
        "char(0)",
        "varchar(99999999999)",
        "uniontype<int,string>",
        "timestamp with local time zone",
        "timestamplocaltz",
        "void"
      })
  void whatIsNoTypeIsRefusedWithTheReason(String text) {
    assertThatThrownBy(() -> ColumnType.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .isNotBlank();
  }

  @Test
  void aTypeThatIsNestedBeyondReasonIsRefusedRatherThanEndingTheStack() {
    String text = "array<".repeat(100_000) + "int" + ">".repeat(100_000);
    assertThatThrownBy(() -> ColumnType.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("nested deeper than 64");
  }

  @Test
  void theMessageNamesThePlace() {
    assertThatThrownBy(() -> ColumnType.parse("map<string,uniontype<int,string>>"))
        .hasMessage(
            "'map<string,uniontype<int,string>>' is not a type: columns of the type uniontype are not read; leave the column out (at character 12)");
  }

  @Test
  void partsAreFoundByWhatTheyAre() {
    ColumnType map = ColumnType.parse("map<string,array<int>>");
    assertThat(map.isNested()).isTrue();
    assertThat(map.key()).isEqualTo(ColumnType.STRING);
    assertThat(map.value().element()).isEqualTo(ColumnType.INT);
    assertThat(ColumnType.INT.isNested()).isFalse();
    assertThatThrownBy(map::element)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("map<string,array<int>> is no ARRAY");
  }
}
