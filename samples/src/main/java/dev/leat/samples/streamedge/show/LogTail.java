package dev.leat.samples.streamedge.show;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Shows what the job's log says about the dimension, as soon as it is said: an operator of the job
 * would see no less and no more.
 */
final class LogTail implements AutoCloseable {
  private static final Pattern LINE = Pattern.compile(".*? dev\\.leat\\.\\S+ - (Dimension '.*)");
  private static final long PAUSE_NANOS = 100_000_000;

  private final Path log;
  private final Console console;
  private final Thread thread;
  private volatile boolean stopping;

  LogTail(Path log, Console console) {
    this.log = log;
    this.console = console;
    thread = new Thread(this::run, "log-tail");
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  @Override
  public void close() throws InterruptedException {
    stopping = true;
    thread.join();
  }

  private void run() {
    try (BufferedReader reader = Files.newBufferedReader(log, StandardCharsets.UTF_8)) {
      StringBuilder partial = new StringBuilder();
      while (true) {
        boolean last = stopping;
        @Nullable String line = completeLine(reader, partial);
        if (line != null) {
          show(line);
        } else if (last) {
          return;
        } else {
          LockSupport.parkNanos(PAUSE_NANOS);
        }
      }
    } catch (IOException e) {
      console.line("the job's log cannot be followed: %s", e);
    }
  }

  /** The next line once its line feed is there; null when there is none yet. */
  private static @Nullable String completeLine(BufferedReader reader, StringBuilder partial)
      throws IOException {
    for (int c = reader.read(); c >= 0; c = reader.read()) {
      if (c == '\n') {
        String line = partial.toString();
        partial.setLength(0);
        return line;
      }
      partial.append((char) c);
    }
    return null;
  }

  private void show(String line) {
    Matcher matcher = LINE.matcher(line);
    if (matcher.matches()) {
      console.line("| %s", matcher.group(1));
    }
  }
}
