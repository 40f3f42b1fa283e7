package dev.leat.testkit;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a fake has handed out and not got back, each with the stack trace of its opening.
 * Thread-safe.
 */
final class OpenResources {

  private final Map<Object, Throwable> open = new LinkedHashMap<>();

  synchronized <T> T opened(T resource, String description) {
    open.put(
        new Identity(resource), new Throwable(description + " was opened here and not closed"));
    return resource;
  }

  synchronized void closed(Object resource) {
    open.remove(new Identity(resource));
  }

  /** Fails if something is open. */
  synchronized void assertNoneOpen(String owner) {
    if (open.isEmpty()) {
      return;
    }
    AssertionError leak =
        new AssertionError(
            open.size()
                + " of what "
                + owner
                + " handed out were not closed; their opening is suppressed below");
    open.values().forEach(leak::addSuppressed);
    open.clear();
    throw leak;
  }

  private record Identity(Object resource) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Identity that && resource == that.resource;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(resource);
    }
  }
}
