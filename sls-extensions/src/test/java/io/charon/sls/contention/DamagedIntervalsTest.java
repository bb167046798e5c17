/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.contention;

import io.charon.sls.trace.DamagedTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeProperty;

/** Damaged tables of intervals are read or refused by file and line. */
class DamagedIntervalsTest {
  private static final String TABLE =
      """
      app,time_s,cpi,load,best_effort
      x,1,1.25,3,0.5
      y,1,1.5,4,0
      x,31,"1.25",3,0.5
      x,2004-11-19 09:30:00,1,3,0.5
      """;
  private static final IntervalColumns COLUMNS =
      new IntervalColumns(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.of("app"));

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
  void intervals(@ForAll("tables") String text) throws IOException {
    DamagedTables.assertReadOrRefused(
        DamagedTables.write(file, text),
        (path, badRows) -> new IntervalTables(COLUMNS, badRows).read(path));
  }
}
