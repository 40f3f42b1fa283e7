package dev.leat.it.simulation;

import dev.leat.spi.Blob;
import dev.leat.spi.BlobStore;
import dev.leat.spi.RemoteTier;
import dev.leat.spi.RemoteTierStore;
import dev.leat.spi.StoreContext;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** A tier as one host sees it. */
final class SimulatedTier implements RemoteTier {
  private static final long serialVersionUID = 1L;

  private final RemoteTier tier;
  private final transient UnaryOperator<BlobStore> around;
  private final transient UnaryOperator<RemoteTierStore> flaw;

  /**
   * A tier.
   *
   * @param around puts turn, time and weather around its blobs
   * @param flaw changes it as a planted bug would, or not at all
   */
  SimulatedTier(
      RemoteTier tier, UnaryOperator<BlobStore> around, UnaryOperator<RemoteTierStore> flaw) {
    this.tier = tier;
    this.around = around;
    this.flaw = flaw;
  }

  @Override
  public String tierName() {
    return tier.tierName();
  }

  @Override
  public boolean owns(URI location) {
    return tier.owns(location);
  }

  @Override
  public RemoteTierStore open(StoreContext context) throws IOException {
    RemoteTierStore opened = flaw.apply(tier.open(context));
    BlobStore blobs = around.apply(opened.blobs());
    return new RemoteTierStore() {
      @Override
      public BlobStore blobs() {
        return blobs;
      }

      @Override
      public URI indexRoot() {
        return opened.indexRoot();
      }

      @Override
      public Optional<Blob> freshCopy(Blob source) throws IOException {
        return opened.freshCopy(source);
      }

      @Override
      public URI sourceOf(URI location) throws IOException {
        return opened.sourceOf(location);
      }

      @Override
      public void close() {
        opened.close();
      }
    };
  }
}
