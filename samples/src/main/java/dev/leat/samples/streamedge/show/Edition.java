package dev.leat.samples.streamedge.show;

import java.nio.file.Path;
import java.util.List;

/**
 * One version of the customers' table as files on this machine, from which the bucket is filled and
 * the result is checked.
 *
 * @param version what stands in the column {@code valid_version} of each row
 * @param files the files, to be laid into the bucket under their own names
 */
record Edition(int version, List<Path> files) {}
