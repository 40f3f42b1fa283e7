package dev.leat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import org.junit.jupiter.api.Test;

class RowFilterTest {

  @Test
  void theTextIsSql() {
    RowFilter filter =
        RowFilter.column("country")
            .in("DE", "O'Higgins")
            .and(RowFilter.column("age").atLeast(18).or(RowFilter.column("age").isNull()))
            .and(RowFilter.column("closed at").isNotNull().negated())
            .and(RowFilter.column("since").lessThan(LocalDate.of(2024, 2, 29)))
            .and(RowFilter.column("seen").greaterThan(LocalDateTime.of(2024, 1, 1, 0, 0)))
            .and(RowFilter.column("amount").notEqualTo(new BigDecimal("1.50")))
            .and(RowFilter.column("share").atMost(0.5f))
            .and(RowFilter.column("active").equalTo(true));

    assertThat(filter)
        .hasToString(
            "(country IN ('DE', 'O''Higgins') AND (age >= 18 OR age IS NULL)"
                + " AND NOT (\"closed at\" IS NOT NULL) AND since < DATE '2024-02-29'"
                + " AND seen > TIMESTAMP '2024-01-01 00:00' AND amount <> DECIMAL '1.5'"
                + " AND share <= DOUBLE '0.5' AND active = TRUE)");
    assertThat(filter.columns())
        .containsExactly(
            "active", "age", "amount", "closed at", "country", "seen", "share", "since");
  }

  @Test
  void equalConditionsAreEqualHoweverTheirValuesAreWritten() {
    assertThat(RowFilter.column("a").equalTo((byte) 5))
        .isEqualTo(RowFilter.column("a").equalTo(5L))
        .isNotEqualTo(RowFilter.column("a").equalTo("5"));
    assertThat(RowFilter.column("a").equalTo(new BigDecimal("1.0")))
        .isEqualTo(RowFilter.column("a").equalTo(new BigDecimal("1.00")));
    assertThat(RowFilter.column("a").equalTo(-0.0)).isEqualTo(RowFilter.column("a").equalTo(0.0f));
    RowFilter a = RowFilter.column("a").isNull();
    RowFilter b = RowFilter.column("b").isNull();
    RowFilter c = RowFilter.column("c").isNull();
    assertThat(a.and(b).and(c))
        .isEqualTo(a.and(b.and(c)))
        .isEqualTo(RowFilter.allOf(List.of(a, b, c)));
    assertThat(a.or(b).or(c)).isEqualTo(RowFilter.anyOf(List.of(a, b, c)));
    assertThat(RowFilter.column("a").in(1, 2L, 1))
        .isEqualTo(RowFilter.column("a").in(List.of(1L, 2L)));
  }

  @Test
  void whatNoConditionMeansIsRefusedAtTheCall() {
    assertThatThrownBy(() -> RowFilter.column("a").equalTo(null))
        .hasMessageContaining("column 'a' is compared with null")
        .hasMessageContaining("isNull()");
    assertThatThrownBy(() -> RowFilter.column("a").equalTo(Double.NaN)).hasMessageContaining("NaN");
    assertThatThrownBy(() -> RowFilter.column("a").equalTo(new byte[1]))
        .hasMessageContaining("use a Boolean, an integer");
    assertThatThrownBy(() -> RowFilter.column("a").in()).hasMessageContaining("an empty list");
    assertThatThrownBy(() -> RowFilter.column(" ")).hasMessageContaining("blank");
    assertThatThrownBy(() -> RowFilter.allOf(List.of())).hasMessageContaining("at least one");
  }

  @Test
  void aFilterTravelsWithItsDimension() throws Exception {
    RowFilter filter =
        RowFilter.column("a").in(1, 2).or(RowFilter.column("b").equalTo("x").negated());
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(filter);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      assertThat(in.readObject()).isEqualTo(filter).hasToString(filter.toString());
    }
  }
}
