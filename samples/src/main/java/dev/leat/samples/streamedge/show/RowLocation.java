package dev.leat.samples.streamedge.show;

/**
 * Where a row stands in the files of an {@link Edition}: what a point read needs to know, and what
 * a plain text table does not tell.
 *
 * @param file the file's position in the edition
 * @param offset the row's first byte
 * @param length its bytes, without the line feed
 */
record RowLocation(int file, long offset, int length) {}
