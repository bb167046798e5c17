/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.tune.reclaimed;

import io.charon.sls.trace.DamagedTables;
import io.charon.sls.tune.reclaimed.LeftOut.Skipped;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeProperty;

/** Damaged tables of machines are read or refused by file and line. */
class DamagedSeriesTest {
  private static final String TABLE =
      """
      vm,time_s,cpu_pct,cores
      x,1,1.25,3
      y,1,1.5,4
      x,31,1.25,3
      x,600,99,3
      """;

  private Path file;

  @BeforeProperty
  void create() throws IOException {
    file = Files.createTempFile("damaged", ".csv");
  }

  @AfterProperty
  void remove() throws IOException {
    Files.delete(file);
  }

  @Provide
  Arbitrary<String> tables() {
    return DamagedTables.of(TABLE);
  }

  @Property(tries = 20, edgeCases = EdgeCasesMode.NONE)
  void series(@ForAll("tables") String text) throws IOException {
    UsageTable table =
        new UsageTable(
            "test",
            file.toString(),
            true,
            new UsageTable.Columns(
                Optional.of("vm"),
                false,
                Optional.of("time_s"),
                1,
                "cpu_pct",
                Optional.of("cores")),
            UsageTable.Amounts.allReserved(OptionalDouble.of(0.01)),
            true);
    DamagedTables.assertReadOrRefused(
        DamagedTables.write(file, text),
        (path, badRows) -> {
          SeriesReader reader = new SeriesReader(table, path, 7200);
          reader.read((what, done) -> {});
          for (Skipped skipped : reader.leftOut().named()) {
            badRows.add(skipped.place(), skipped.cause());
          }
        });
  }
}
