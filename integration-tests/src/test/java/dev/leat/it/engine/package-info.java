/**
 * The engine on a real S3 server and a real Alluxio, each a process of its own.
 *
 * <p>Front door: {@link dev.leat.it.engine.RealServers}.
 */
package dev.leat.it.engine;
