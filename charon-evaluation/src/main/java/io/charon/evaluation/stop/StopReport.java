/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.stop;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.charon.evaluation.killer.Report;
import io.charon.evaluation.killer.Target;
import io.charon.evaluation.statistics.Percentiles;
import io.charon.evaluation.stop.StopResult.StopTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Reports the measurements of {@code bench stop}: a row for each scope. */
public final class StopReport {
  private static final List<String> HEADER =
      List.of("stop of", "orders", "confirmed s, p50", "maximum", "last launch s, p50", "maximum");
  private static final double MEDIAN = 50;
  private static final double MAXIMUM = 100;

  private StopReport() {}

  /** Returns the report of a run. */
  public static Report of(StopResult result) {
    List<StopScope> measured =
        Arrays.stream(StopScope.values()).filter(scope -> !result.of(scope).isEmpty()).toList();
    List<Target> targets = measured.stream().map(scope -> target(result, scope)).toList();
    List<String> remarks = new ArrayList<>();
    remarks.add(
        String.format(
            Locale.ROOT,
            "From the order, while tasks are launched without end; 0: no launch followed. One node;"
                + " load %.1f before; %.0f s.",
            result.loadAverage(),
            result.seconds()));
    remarks.add("");
    targets.forEach(target -> remarks.add(target.line()));
    return new Report(
        HEADER,
        measured.stream().map(scope -> row(scope, result.of(scope))).toList(),
        remarks,
        json(result, measured),
        !measured.isEmpty() && targets.stream().allMatch(Target::met));
  }

  private static Target target(StopResult result, StopScope scope) {
    double last = percentile(result.of(scope), StopTime::lastLaunchSeconds, MAXIMUM);
    return new Target(
        "%s: no launch later than %d s after the order"
            .formatted(scope.label(), scope.limit().toSeconds()),
        String.format(
            Locale.ROOT, "last one after %.2f s, of %d orders", last, result.of(scope).size()),
        last <= scope.limit().toSeconds());
  }

  private static List<String> row(StopScope scope, List<StopTime> times) {
    return List.of(
        scope.label(),
        Integer.toString(times.size()),
        text(times, StopTime::confirmedSeconds, MEDIAN),
        text(times, StopTime::confirmedSeconds, MAXIMUM),
        text(times, StopTime::lastLaunchSeconds, MEDIAN),
        text(times, StopTime::lastLaunchSeconds, MAXIMUM));
  }

  private static String text(
      List<StopTime> times, ToDoubleFunction<StopTime> seconds, double percent) {
    return String.format(Locale.ROOT, "%.2f", percentile(times, seconds, percent));
  }

  private static double percentile(
      List<StopTime> times, ToDoubleFunction<StopTime> seconds, double percent) {
    return Percentiles.of(times.stream().mapToDouble(seconds).boxed().toList(), percent)
        .orElseThrow();
  }

  private static ObjectNode json(StopResult result, List<StopScope> measured) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    ArrayNode scopes = root.putArray("scopes");
    for (StopScope scope : measured) {
      ObjectNode node =
          scopes
              .addObject()
              .put("stopOf", scope.label())
              .put("limitSeconds", scope.limit().toSeconds());
      ArrayNode confirmed = node.putArray("confirmedSeconds");
      ArrayNode last = node.putArray("lastLaunchSeconds");
      for (StopTime time : result.of(scope)) {
        confirmed.add(time.confirmedSeconds());
        last.add(time.lastLaunchSeconds());
      }
    }
    return root.put("loadAverage", result.loadAverage()).put("seconds", result.seconds());
  }
}
