package dev.leat.testserver.s3;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * A fault that the server commits on the next requests that fit.
 *
 * <p>As a command: {@code fault kind=SLOW_DOWN op=GET times=3 afterBytes=0 millis=0 key=part-0},
 * where everything but the kind may be left out and {@code key}, which takes the rest of the line,
 * is a part of the object's key.
 *
 * @param kind what happens
 * @param operation which requests fit: GET, HEAD, LIST, PUT, DELETE or ANY
 * @param times how often it happens
 * @param afterBytes for {@code RESET}, how many bytes of the content come through
 * @param millis for {@code DELAY}, how long
 * @param key a part of the keys that fit; all if empty
 */
record Fault(Kind kind, String operation, int times, long afterBytes, long millis, String key) {

  /** What happens. */
  enum Kind {
    /** 503 SlowDown. */
    SLOW_DOWN,
    /** 500 InternalError. */
    INTERNAL_ERROR,
    /** 403 AccessDenied. */
    ACCESS_DENIED,
    /** 400 ExpiredToken, as for temporary credentials whose time is over. */
    EXPIRED_TOKEN,
    /** 403 QuotaExceeded, as of a store that takes nothing more. */
    QUOTA_EXCEEDED,
    /** The request waits until the command {@code release} comes. */
    HOLD,
    /** The connection breaks in the middle of the content. */
    RESET,
    /** The answer comes late. */
    DELAY
  }

  static Fault parse(String command) {
    Map<String, String> values = new LinkedHashMap<>();
    int key = command.indexOf(" key=");
    String rest = key < 0 ? command : command.substring(0, key);
    for (String word : rest.split(" ", -1)) {
      int equals = word.indexOf('=');
      if (equals > 0) {
        values.put(word.substring(0, equals), word.substring(equals + 1));
      }
    }
    return new Fault(
        Kind.valueOf(values.getOrDefault("kind", "none").toUpperCase(Locale.ROOT)),
        values.getOrDefault("op", "ANY"),
        Integer.parseInt(values.getOrDefault("times", "1")),
        Long.parseLong(values.getOrDefault("afterBytes", "0")),
        Long.parseLong(values.getOrDefault("millis", "0")),
        key < 0 ? "" : command.substring(key + " key=".length()));
  }

  boolean fits(String requested, String requestedKey) {
    return (operation.equals("ANY") || operation.equals(requested)) && requestedKey.contains(key);
  }
}
