package dev.leat.benchmarks.tiers;

import dev.leat.benchmarks.Medians;
import dev.leat.internal.store.Stores;
import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.BlobStore;
import dev.leat.spi.StoreContext;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Reads of a row's bytes where they stand: one request for each, as a join does that asks the store
 * for each event.
 */
final class PointReads {
  private static final int BYTES = 64;

  private PointReads() {}

  /** Reads at random places of open files, after a few that warm up. */
  static void random(TierServers servers, String location, int reads, Medians target, String name)
      throws IOException {
    try (BlobStore store = open(servers, location)) {
      List<Blob> files = store.list(URI.create(location));
      List<BlobReader> readers = new ArrayList<>();
      try {
        for (Blob file : files) {
          readers.add(store.open(file));
        }
        Random random = new Random(11);
        byte[] row = new byte[BYTES];
        int warmUp = Math.max(20, reads / 5);
        for (int i = 0; i < warmUp + reads; i++) {
          int file = random.nextInt(readers.size());
          long position = (long) (random.nextDouble() * (files.get(file).length() - BYTES));
          long start = System.nanoTime();
          readers.get(file).readFully(position, row, 0, BYTES);
          if (i >= warmUp) {
            target.add(name, (System.nanoTime() - start) / 1e3);
          }
        }
      } finally {
        for (BlobReader reader : readers) {
          reader.close();
        }
      }
    }
  }

  /** One read of each file, from the opening on. */
  static void firstOfEach(TierServers servers, String location, Medians target, String name)
      throws IOException {
    try (BlobStore store = open(servers, location)) {
      byte[] row = new byte[BYTES];
      for (Blob file : store.list(URI.create(location))) {
        long start = System.nanoTime();
        try (BlobReader reader = store.open(file)) {
          reader.readFully(file.length() / 2, row, 0, BYTES);
        }
        target.add(name, (System.nanoTime() - start) / 1e3);
      }
    }
  }

  private static BlobStore open(TierServers servers, String location) throws IOException {
    return Stores.open(URI.create(location), new StoreContext(servers.properties()));
  }
}
