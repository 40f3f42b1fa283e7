package dev.leat.testserver;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Stands between clients and a server and spoils their connections at command, as a network does.
 * What is spoiled is the way from the server to the client. Thread-safe.
 */
public final class TcpProxy implements AutoCloseable {

  private static final int BUFFER = 1 << 14;

  private final InetSocketAddress target;
  private final ServerSocket listener;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // Guarded by the lock.
  private Duration latency = Duration.ZERO;
  private boolean silent;
  private boolean refusing;
  private long bytesToReset;
  private long resetEvery;
  private int resetsLeft;
  private boolean closed;

  private TcpProxy(InetSocketAddress target, ServerSocket listener) {
    this.target = target;
    this.listener = listener;
  }

  /**
   * Starts a proxy at any free port of the loopback address.
   *
   * @param target the server, which need not be there yet
   * @return the running proxy
   */
  public static TcpProxy to(InetSocketAddress target) {
    return between(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), target);
  }

  /**
   * Starts a proxy.
   *
   * @param at where it listens
   * @param target the server, which need not be there yet
   * @return the running proxy
   */
  public static TcpProxy between(InetSocketAddress at, InetSocketAddress target) {
    try {
      ServerSocket listener = new ServerSocket();
      try {
        listener.setReuseAddress(true);
        listener.bind(at);
      } catch (IOException e) {
        listener.close();
        throw e;
      }
      TcpProxy proxy = new TcpProxy(target, listener);
      start("proxy-to-" + target.getPort(), proxy::accept);
      return proxy;
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot listen at " + at, e);
    }
  }

  private static void start(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Where it listens.
   *
   * @return the port
   */
  public int port() {
    return listener.getLocalPort();
  }

  /**
   * Each piece of an answer comes so much later.
   *
   * @param by the delay of each piece
   */
  public void delay(Duration by) {
    change(() -> latency = by);
  }

  /** Answers do not come any more, and no connection breaks: a black hole. */
  public void silence() {
    change(() -> silent = true);
  }

  /** Connections are closed as soon as they are made, and those that are open break. */
  public void refuse() {
    change(() -> refusing = true);
    open.forEach(TcpProxy::reset);
  }

  /**
   * Connections break after so many bytes from the server, counted over all of them from now on and
   * anew after each break.
   *
   * @param bytes the bytes that come through
   * @param times how many connections break
   */
  public void resetAfter(long bytes, int times) {
    change(
        () -> {
          bytesToReset = bytes;
          resetsLeft = times;
          resetEvery = bytes;
        });
  }

  /** From now on everything passes; what was held back comes now. */
  public void heal() {
    change(
        () -> {
          latency = Duration.ZERO;
          silent = false;
          refusing = false;
          resetsLeft = 0;
        });
  }

  /**
   * How many resets are still to come.
   *
   * @return the number, 0 when all have happened
   */
  public int resetsLeft() {
    lock.lock();
    try {
      return resetsLeft;
    } finally {
      lock.unlock();
    }
  }

  private void change(Runnable change) {
    lock.lock();
    try {
      change.run();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        serve(listener.accept());
      } catch (IOException e) {
        if (!listener.isClosed()) {
          System.err.println("The proxy to " + target + " could not take a connection: " + e);
        }
      }
    }
  }

  private void serve(Socket client) {
    if (isRefusing()) {
      reset(client);
      return;
    }
    Socket server = new Socket();
    open.add(client);
    open.add(server);
    try {
      server.connect(target);
    } catch (IOException e) {
      end(client, server); // as it would be without a proxy: nobody is there
      return;
    }
    AtomicInteger directions = new AtomicInteger(2);
    start("proxy-request", () -> pump(client, server, false, directions));
    start("proxy-answer", () -> pump(server, client, true, directions));
  }

  private boolean isRefusing() {
    lock.lock();
    try {
      return refusing;
    } finally {
      lock.unlock();
    }
  }

  private void pump(Socket from, Socket to, boolean answer, AtomicInteger directions) {
    byte[] buffer = new byte[BUFFER];
    boolean ended = false;
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      int read = in.read(buffer);
      while (read >= 0 && (!answer || passes(read))) {
        out.write(buffer, 0, read);
        read = in.read(buffer);
      }
      ended = read < 0;
      if (ended) {
        to.shutdownOutput();
      }
    } catch (IOException e) {
      trace(e); // one end is gone, and the other one is told below
      ended = false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      if (!ended) {
        end(from, to);
      } else if (directions.decrementAndGet() == 0) {
        closeInOrder(from, to);
      }
    }
  }

  private void trace(IOException e) {
    if (Boolean.getBoolean("leat.testservers.trace")) {
      System.err.println("A connection through the proxy to " + target + " ended: " + e);
    }
  }

  /** Waits as the faults say; whether the piece may pass. */
  private boolean passes(int bytes) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = latency.toNanos();
      while (left > 0 && !latency.isZero() && !closed) {
        left = changed.awaitNanos(left);
      }
      while (silent && !closed) {
        changed.await(1, TimeUnit.SECONDS);
      }
      if (resetsLeft > 0) {
        bytesToReset -= bytes;
        if (bytesToReset < 0) {
          resetsLeft--;
          bytesToReset = resetEvery;
          return false;
        }
      }
      return !refusing && !closed;
    } finally {
      lock.unlock();
    }
  }

  /** Both directions have come to their end. */
  private void closeInOrder(Socket... both) {
    for (Socket each : both) {
      open.remove(each);
      try {
        each.close();
      } catch (IOException e) {
        trace(e);
      }
    }
  }

  private void end(Socket one, Socket other) {
    open.remove(one);
    open.remove(other);
    reset(one);
    reset(other);
  }

  /** Closes with an RST, so that the other end does not take it for the end of the content. */
  private static void reset(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
    } catch (IOException e) {
      return; // it is closed already
    }
    try {
      socket.close();
    } catch (IOException e) {
      System.err.println("A socket could not be closed: " + e);
    }
  }

  @Override
  public void close() {
    change(() -> closed = true);
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      open.forEach(TcpProxy::reset);
    }
  }
}
