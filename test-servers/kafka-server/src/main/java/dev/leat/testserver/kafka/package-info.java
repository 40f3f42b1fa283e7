/** The main class of the kafka test server. */
@NullMarked
package dev.leat.testserver.kafka;

import org.jspecify.annotations.NullMarked;
