/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoReportTest {
  @Test
  void showsAColumnForEachModeAndEveryCheck() {
    DemoResult result =
        Results.of(Results.run(DemoMode.ALONE, 0), Results.run(DemoMode.CHARON, 2, 0.1, 0.2));

    List<String> lines = DemoReport.lines(result);

    assertThat(lines.get(0)).matches(" +alone +charon");
    assertThat(lines).anyMatch(line -> line.matches(" {2}completed +0 +2"));
    assertThat(lines).anyMatch(line -> line.matches(" {2}completion time, median +- +11\\.0 s"));
    assertThat(lines)
        .anyMatch(line -> line.matches("production's batch, median +100\\.0 ms +200\\.0 ms"));
    assertThat(lines).anyMatch(line -> line.matches("memory is taken back by +nobody +kernel 1"));
    assertThat(lines)
        .anyMatch(line -> line.matches(" {2}decision to SIGKILL, median +- +0.0\\d ms"));
    assertThat(lines)
        .anyMatch(
            line ->
                line.startsWith(
                    "FAIL  production's median batch with Charon against by itself: 2.000"));
    assertThat(lines).anyMatch(line -> line.startsWith("ok    wrong results of best-effort: 0"));
  }

  @Test
  void drawsUsedAndReservedMemory(@TempDir Path directory) throws IOException {
    Path picture = directory.resolve("new").resolve("memory.svg");

    DemoChart.write(
        Results.of(Results.run(DemoMode.STOCK_YARN, 1), Results.run(DemoMode.CHARON, 2)), picture);

    // The SVG has text as shapes, so the colours of stock YARN, Charon and the reservation are
    // checked.
    assertThat(Files.readString(picture))
        .contains("<svg", "rgb(230,159,0)", "rgb(0,114,178)", "rgb(213,94,0)");
  }

  @Test
  void aPictureShowsEachModeWithTheRangeOverRuns(@TempDir Path directory) throws IOException {
    RunHistory history = RunHistory.read(directory.resolve("runs.jsonl"), Results.CONDITIONS);
    history.add(Results.of(Results.run(DemoMode.STOCK_YARN, 8), Results.run(DemoMode.CHARON, 24)));
    history.add(Results.of(Results.run(DemoMode.STOCK_YARN, 8), Results.run(DemoMode.CHARON, 32)));
    Path page = directory.resolve("demo.html");

    DemoPicture picture = new DemoPicture(history);
    picture.write(page);

    assertThat(picture.lines())
        .anyMatch(line -> line.matches(" {2}stock-yarn █{10} +8"))
        .anyMatch(line -> line.matches(" {2}charon +█{35} +28 \\(24 to 32\\)"));
    assertThat(Files.readString(page)).contains("Medians of 2 runs", "stock-yarn", "28 (24 to 32)");
  }
}
