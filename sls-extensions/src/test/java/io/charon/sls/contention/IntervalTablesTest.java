/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.contention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.charon.sls.trace.BadRows;
import io.charon.sls.tune.TimeUnitOfTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IntervalTablesTest {
  private static final IntervalColumns BY_NAME =
      new IntervalColumns(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty());

  @TempDir private Path directory;
  private final BadRows bad = new BadRows(false);

  private Path file(String text) throws IOException {
    return Files.writeString(directory.resolve("a.csv"), text);
  }

  private IntervalTables read(IntervalColumns columns, String text) throws IOException {
    IntervalTables tables = new IntervalTables(columns, bad);
    tables.read(file(text));
    return tables;
  }

  @Test
  void columnsAreFoundByTheirNames() throws IOException {
    assertThat(
            read(BY_NAME, "best_effort,time_ms,cpi,load\n0.5,1000,1.25,3\n0.6,31000,1.5,4\n")
                .services())
        .containsOnlyKeys("all")
        .extractingByKey("all")
        .asInstanceOf(InstanceOfAssertFactories.LIST)
        .containsExactly(new Interval(1, 1.25, 3, 0.5), new Interval(31, 1.5, 4, 0.6));
  }

  @Test
  void columnsMayBeNamedAndServicesToldApart() throws IOException {
    IntervalColumns named =
        new IntervalColumns(
            Optional.of("when"),
            Optional.of(TimeUnitOfTable.MIN),
            Optional.of("latency"),
            Optional.of("work"),
            Optional.of("others"),
            Optional.of("app"));
    assertThat(
            read(named, "app,when,latency,work,others\nx,1,5,2,0\ny,1,6,3,1\nx,2,7,2,0\n")
                .services())
        .containsOnlyKeys("x", "y")
        .extractingByKey("x")
        .asInstanceOf(InstanceOfAssertFactories.LIST)
        .containsExactly(new Interval(60, 5, 2, 0), new Interval(120, 7, 2, 0));
  }

  @Test
  void badRowsAreNamedWithTheirLineAndTheOthersStay() throws IOException {
    IntervalTables tables =
        read(
            BY_NAME,
            "time,cpi,load,best_effort\n1,x,1,1\n2,1,1,1\n2,1,1,1\n3,,1,1\n4,1,-1,1\n5,1\nlong ago,1,1,1\n6,NaN,1,1\n");
    assertThat(tables.services().get("all")).hasSize(1);
    assertThat(bad.count()).isEqualTo(7);
    assertThat(bad.first().get(0)).contains("a.csv:2: field 2 is \"x\", not a number");
    assertThat(bad.first().get(1)).contains("a.csv:4: the time 2").contains("--service");
    assertThat(bad.first().get(2)).contains("a.csv:5: the value is empty");
    assertThat(bad.first().get(3))
        .contains("a.csv:6")
        .contains("not a number that is not negative");
    assertThatThrownBy(
            () ->
                new IntervalTables(BY_NAME, new BadRows(true))
                    .read(file("time,cpi,load,best_effort\n1,x,1,1\n")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("a.csv:2");
  }

  @Test
  void aTableWithoutAColumnSaysWhichAndHowToNameIt() {
    assertThatThrownBy(() -> read(BY_NAME, "time,cpi,load\n1,1,1\n"))
        .hasMessageContaining("a.csv:1: no column of the use of best-effort")
        .hasMessageContaining("among [time, cpi, load]; name it with --best-effort");
    assertThatThrownBy(() -> read(BY_NAME, "")).hasMessageContaining("the file is empty");
    assertThatThrownBy(() -> new IntervalTables(BY_NAME, bad).read(directory.resolve("none.csv")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("none.csv");
  }
}
