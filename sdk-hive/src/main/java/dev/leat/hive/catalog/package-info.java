/**
 * The tables of a Hive metastore as a read-only Flink catalog of Leat tables. Its front door is
 * SQL: {@code CREATE CATALOG lake WITH ('type' = 'leat', …)}, which finds {@link
 * dev.leat.hive.catalog.LeatCatalogFactory}.
 */
@NullMarked
package dev.leat.hive.catalog;

import org.jspecify.annotations.NullMarked;
