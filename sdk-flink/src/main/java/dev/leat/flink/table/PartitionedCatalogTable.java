package dev.leat.flink.table;

import dev.leat.Partitions;
import org.apache.flink.table.catalog.CatalogTable;

/**
 * A table of a catalog that knows its partitions: those of a metastore may lie anywhere and have
 * formats of their own. The partitions of other tables are their directories.
 */
public interface PartitionedCatalogTable extends CatalogTable {

  /**
   * All partitions of the table. Asked for when a query is planned, by the program that plans it;
   * the answer goes to the tasks.
   *
   * @throws dev.leat.LeatException if they cannot be found out
   */
  Partitions partitions();
}
