package dev.leat.it.simulation;

/**
 * A row of the simulated table.
 *
 * @param value says where it was written, so that no two rows that were ever written are alike
 */
public record Row(String id, String value) {}
