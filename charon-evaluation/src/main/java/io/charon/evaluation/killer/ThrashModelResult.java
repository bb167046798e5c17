/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import io.charon.evaluation.statistics.Percentiles;
import io.charon.sls.node.ThrashModel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The measurements of {@code bench thrash-model}.
 *
 * @param options options of the run
 * @param baselines one baseline for each program
 * @param points points of each program by increasing ratio, followed by those of a shared limit
 * @param machine machine of the measurement
 * @param seconds duration of the run
 */
public record ThrashModelResult(
    ThrashModelOptions options,
    List<ThrashBaseline> baselines,
    List<ThrashPoint> points,
    ThrashMachine machine,
    double seconds) {
  /**
   * The machine on which a thrash model was measured.
   *
   * @param kernel release of the kernel
   * @param processors number of CPUs
   * @param cgroupVersion 1 or 2
   * @param swapMegabytes size of the zram device
   * @param disk file system and device of the file pages
   * @param workingSetMegabytes working set of each program
   */
  record ThrashMachine(
      String kernel,
      int processors,
      int cgroupVersion,
      int swapMegabytes,
      String disk,
      int workingSetMegabytes) {}

  /**
   * One program without a limit.
   *
   * @param program the program
   * @param nanosPerTouch time per touch of each repetition
   */
  record ThrashBaseline(ThrashProgram program, List<Double> nanosPerTouch) {
    ThrashBaseline {
      nanosPerTouch = List.copyOf(nanosPerTouch);
    }

    double nanosPerTouchMedian() {
      return Percentiles.median(nanosPerTouch).orElseThrow();
    }
  }

  /** Copies the lists. */
  public ThrashModelResult {
    baselines = List.copyOf(baselines);
    points = List.copyOf(points);
  }

  List<ThrashPoint> points(ThrashProgram program, boolean shared) {
    return points.stream()
        .filter(point -> point.program() == program && point.shared() == shared)
        .toList();
  }

  /**
   * Returns the simulator's model, which consists of the programs that compute.
   *
   * @throws IOException if there is no curve, because Linux ended the program at each ratio or
   *     because the limit did not slow it
   */
  ThrashModel model() throws IOException {
    return new ThrashModel(curve(ThrashProgram.ANONYMOUS), curve(ThrashProgram.FILE));
  }

  private ThrashModel.Curve curve(ThrashProgram program) throws IOException {
    List<ThrashPoint> alive =
        points(program, false).stream().filter(ThrashPoint::survived).toList();
    if (alive.isEmpty()) {
      throw new IOException(
          "no curve for "
              + program.label()
              + ": Linux's OOM killer ended the program at each ratio");
    }
    if (alive.stream().anyMatch(point -> !(point.nanosPerRefaultMedian() > 0))) {
      throw new IOException(
          "no curve for "
              + program.label()
              + ": it was no slower with a limit than without; measure again on an idle machine");
    }
    List<ThrashModel.Point> curve = new ArrayList<>();
    // Without a limit there is no fault; the cost of the first one is taken from the next point.
    curve.add(new ThrashModel.Point(1, 1, alive.get(0).nanosPerRefaultMedian()));
    for (ThrashPoint point : alive) {
      curve.add(
          new ThrashModel.Point(
              point.ratio(), Math.max(1, point.slowdown()), point.nanosPerRefaultMedian()));
    }
    return new ThrashModel.Curve(curve);
  }
}
