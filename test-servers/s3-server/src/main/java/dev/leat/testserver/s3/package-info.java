/** The main class of the s3 test server. */
@NullMarked
package dev.leat.testserver.s3;

import org.jspecify.annotations.NullMarked;
