package dev.leat;

/**
 * What happens where a job resumes from a checkpoint or savepoint whose version of a dimension can
 * no longer be had: it was removed from the local disk and from the remote tiers, and the source
 * has changed.
 */
public enum VersionGone {
  /**
   * The job fails with {@link ErrorCode#VERSION_GONE}. It never gives another output for the same
   * input than before.
   */
  FAIL,
  /**
   * The job goes on with the nearest newer version that is kept, or else with the one that the
   * source has now. Events that are replayed may meet other rows than before.
   */
  USE_NEWER
}
