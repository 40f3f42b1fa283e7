/**
 * Leat's stores on a real S3 server and a real Alluxio cluster: the contract of the port, and the
 * faults.
 */
@NullMarked
package dev.leat.it.store;

import org.jspecify.annotations.NullMarked;
