package dev.leat.testserver.metastore;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The port that clients see in front of the metastore's own: it counts who comes, and it can be
 * shut, so that a metastore goes away and comes back with the tables that it had in memory.
 */
final class Gate {

  private final int target;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicLong connections = new AtomicLong();
  private int port;
  private @Nullable ServerSocket listener;
  private @Nullable Thread acceptor;

  Gate(int target) {
    this.target = target;
  }

  int port() {
    return port;
  }

  long connections() {
    return connections.get();
  }

  synchronized void open() throws IOException {
    ServerSocket socket = new ServerSocket();
    socket.setReuseAddress(true);
    socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    port = socket.getLocalPort();
    listener = socket;
    acceptor = start("gate", () -> accept(socket));
  }

  /** Nobody answers at the port any more, and whoever was connected is cut off. */
  synchronized void shut() throws IOException, InterruptedException {
    if (listener != null && acceptor != null) {
      listener.close();
      acceptor.join(); // the port is free only when nobody waits at it any more
      listener = null;
    }
    for (Socket socket : open) {
      socket.close();
    }
    open.clear();
  }

  private void accept(ServerSocket socket) {
    while (!socket.isClosed()) {
      try {
        Socket client = socket.accept();
        connections.incrementAndGet();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
        open.add(client);
        open.add(server);
        start("to-metastore", () -> copy(client, server));
        start("from-metastore", () -> copy(server, client));
      } catch (IOException e) {
        if (!socket.isClosed()) {
          e.printStackTrace();
        }
      }
    }
  }

  private void copy(Socket from, Socket to) {
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      in.transferTo(out);
    } catch (IOException e) {
      System.err.println("A connection ended: " + e);
    } finally {
      open.remove(from);
      open.remove(to);
    }
  }

  private static Thread start(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }
}
