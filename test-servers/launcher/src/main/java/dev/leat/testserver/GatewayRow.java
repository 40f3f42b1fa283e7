package dev.leat.testserver;

import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row that the SQL gateway sent.
 *
 * @param kind for example {@code INSERT}
 * @param fields the values as text, NULL as null; not modifiable
 */
public record GatewayRow(String kind, List<@Nullable String> fields) {

  /** Takes the list as it is. */
  public GatewayRow {
    fields = Collections.unmodifiableList(fields);
  }
}
