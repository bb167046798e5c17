/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.tune;

import io.charon.sls.trace.DamagedTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeProperty;

/** Damaged tables of usage are read or refused by file and line. */
class DamagedUsageTest {
  private static final String TABLE =
      """
      machine_id,time_s,mem_used,mem_total
      x,1,1.25,3
      y,1,1.5,4
      x,31,"1.25",3
      x,2004-11-19 09:30:00,1,3
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

  private void read(TableFormat format, String text) throws IOException {
    DamagedTables.assertReadOrRefused(
        DamagedTables.write(file, text),
        (path, badRows) ->
            new UsageTables(List.of(path), format, TunedRegulator.MEMORY, 10)
                .read(badRows, (what, done) -> {}, sample -> {}));
  }

  @Property(tries = 20, edgeCases = EdgeCasesMode.NONE)
  void namedColumns(@ForAll("tables") String text) throws IOException {
    read(
        new TableFormat(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            OptionalDouble.empty(),
            Optional.empty(),
            Optional.of("mem_total"),
            false,
            true),
        text);
  }

  @Property(tries = 20, edgeCases = EdgeCasesMode.NONE)
  void everyColumnASeries(@ForAll("tables") String text) throws IOException {
    read(
        new TableFormat(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            OptionalDouble.of(60),
            Optional.empty(),
            Optional.of(TableFormat.PEAK),
            true,
            false),
        text);
  }
}
