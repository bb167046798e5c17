/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.burst;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.charon.evaluation.killer.Report;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Says what {@code bench burst} measured. */
public final class BurstReport {
  private static final List<String> HEADER =
      List.of(
          "quota", "extra ms, mean", "to none", "p95", "to none", "max", "throttled ms", "to none");

  private BurstReport() {}

  /** The report of a run. */
  public static Report of(BurstResult result) {
    Optional<VariantResult> none =
        result.variants().stream()
            .filter(known -> known.variant() == BurstVariant.NONE)
            .findFirst();
    List<String> remarks = new ArrayList<>();
    remarks.add(
        String.format(
            Locale.ROOT,
            "Extra: by how much a burst ended later than with a core of its own. %d times the same %d bursts (seed %d)"
                + " of %.0f ms of CPU time on average, %.0f ms from one to the next, in a cgroup of %.1f cores.",
            result.options().repetitions(),
            result.options().bursts(),
            result.options().seed(),
            BurstSchedule.MEAN_WORK_MILLIS,
            BurstSchedule.MEAN_GAP_MILLIS,
            BurstVariant.share().cores()));
    remarks.add("What is left without a quota is the machine's: its other load, timers.");
    remarks.add(
        String.format(
            Locale.ROOT,
            "Linux %s, cgroup v%d, %d CPUs; %.0f s.",
            result.kernel(),
            result.cgroups(),
            result.processors(),
            result.seconds()));
    return new Report(
        HEADER,
        result.variants().stream().map(variant -> row(variant, none)).toList(),
        remarks,
        json(result, none),
        true);
  }

  private static List<String> row(VariantResult variant, Optional<VariantResult> none) {
    return List.of(
        variant.variant().label(),
        text("%.1f", variant.meanMillis()),
        ratio(variant.meanMillis(), none.map(VariantResult::meanMillis)),
        text("%.1f", variant.p95Millis()),
        ratio(variant.p95Millis(), none.map(VariantResult::p95Millis)),
        text("%.1f", variant.maxMillis()),
        text("%.0f", variant.throttledMillis()),
        ratio(variant.throttledMillis(), none.map(VariantResult::throttledMillis)));
  }

  private static String ratio(double value, Optional<Double> ofNone) {
    return ofNone.filter(base -> base > 0).map(base -> text("%.3f", value / base)).orElse("-");
  }

  private static String text(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }

  private static ObjectNode json(BurstResult result, Optional<VariantResult> none) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    ArrayNode variants = root.putArray("variants");
    for (VariantResult variant : result.variants()) {
      ObjectNode node = variants.addObject().put("name", variant.variant().label());
      variant
          .variant()
          .bandwidth()
          .ifPresent(
              has ->
                  node.put("quotaMicros", has.quotaMicros())
                      .put("periodMicros", has.periodMicros())
                      .put("burstMicros", has.burstMicros()));
      node.put("bursts", variant.extraMillis().size());
      node.put("meanExtraMillis", variant.meanMillis());
      node.put("p95ExtraMillis", variant.p95Millis());
      node.put("maxExtraMillis", variant.maxMillis());
      node.put("throttledMillis", variant.throttledMillis());
      put(node, "meanToNone", variant.meanMillis(), none.map(VariantResult::meanMillis));
      put(node, "p95ToNone", variant.p95Millis(), none.map(VariantResult::p95Millis));
      put(
          node,
          "throttledToNone",
          variant.throttledMillis(),
          none.map(VariantResult::throttledMillis));
      ArrayNode samples = node.putArray("extraMillis");
      variant.extraMillis().forEach(samples::add);
    }
    root.put("cores", BurstVariant.share().cores());
    root.put("seed", result.options().seed());
    root.put("repetitions", result.options().repetitions());
    root.put("kernel", result.kernel());
    root.put("cgroups", result.cgroups());
    root.put("cpus", result.processors());
    return root;
  }

  private static void put(ObjectNode node, String name, double value, Optional<Double> ofNone) {
    ofNone
        .filter(base -> base > 0)
        .ifPresentOrElse(base -> node.put(name, value / base), () -> node.putNull(name));
  }
}
