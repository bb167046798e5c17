/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.tune;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.sls.trace.BadRows;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.knowm.xchart.HeatMapSeries;

class HeatMapsTest {
  @TempDir private Path directory;

  private static TuneResult result() {
    return new TuneResult(
        TunedRegulator.MEMORY,
        List.of(
            new CellResult(30, 1, 77, 90, 0.31, 0.01, 0.02, "m1"),
            new CellResult(30, 2, 12, 15, 0.21, 0.01, 0.02, "m1"),
            new CellResult(60, 1, 66, 80, 0.32, 0.01, 0.02, "m2"),
            new CellResult(60, 2, 8, 9, 0.22, 0.01, 0.02, "m2")),
        30,
        List.of(),
        Map.of(30.0, 6.0, 60.0, 12.0),
        "",
        new SeriesSummary(2, 0, new SeriesSummary.Samples(100, 0, 0), 500, 500, 0.5, 0.9),
        new BadRows(false));
  }

  @Test
  void everyCellIsAtItsWindowAndFactor() {
    HeatMapSeries violations = HeatMaps.violations(result()).getHeatMapSeries();
    assertThat(violations.getXData()).hasToString("[1, 2]");
    assertThat(violations.getYData()).hasToString("[30, 60]");
    assertThat(violations.getHeatData().stream().map(cell -> List.of(cell)).toList())
        .hasToString("[[0, 0, 77.0], [1, 0, 12.0], [0, 1, 66.0], [1, 1, 8.0]]");
    HeatMapSeries background = HeatMaps.background(result()).getHeatMapSeries();
    Number[] last = background.getHeatData().get(3);
    assertThat(last[2].doubleValue()).isEqualTo(22);
  }

  @Test
  void bothPicturesAreWritten() throws IOException {
    Path pictures = directory.resolve("new/pictures");
    HeatMaps.write(result(), pictures);
    for (String name : List.of("tune-violations.png", "tune-background.png")) {
      BufferedImage picture = ImageIO.read(pictures.resolve(name).toFile());
      assertThat(picture.getWidth()).isEqualTo(760);
    }
  }
}
