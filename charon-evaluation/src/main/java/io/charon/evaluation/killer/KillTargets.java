/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Function;

/** Judges a run by the targets of the kernel UA killer. Only variants that were run are judged. */
final class KillTargets {
  private static final double LAST_SIGNAL_MILLIS = 1;
  private static final double TIMES_FASTER = 100;
  private static final double FREED_MILLIS_PER_100_MEGABYTES = 20;

  private KillTargets() {}

  static List<Target> of(List<KillSummary> summaries) {
    List<Target> targets = new ArrayList<>();
    List<KillSummary> kernel = ofVariant(summaries, KillVariants.IN_KERNEL);
    List<KillSummary> jvm = ofVariant(summaries, KillVariants.JVM);
    if (!kernel.isEmpty()) {
      targets.add(
          tail(
              "decision to last SIGKILL in the kernel, p99 at most 1 ms",
              pooled(kernel, KillSummary::decisionToLastSignal),
              LAST_SIGNAL_MILLIS));
    }
    if (!kernel.isEmpty() && !jvm.isEmpty()) {
      targets.add(
          faster(
              pooled(kernel, KillSummary::decisionToLastSignal),
              pooled(jvm, KillSummary::decisionToLastSignal)));
    }
    for (KillSummary summary : ofVariant(summaries, KillVariants.IN_KERNEL_WITH_REAPER)) {
      Latencies delay = summary.signalToFreedPer100Megabytes();
      String subject =
          "SIGKILL to freed with the reaper, " + summary.megabytes() + " MB, per 100 MB, ";
      OptionalDouble median = delay.p50();
      targets.add(
          new Target(
              subject + "p50 at most 20 ms",
              text(median) + " of " + delay.samples().size() + " kills",
              atMost(median, FREED_MILLIS_PER_100_MEGABYTES)));
      targets.add(
          tail(subject + "stretch: p99 at most 20 ms", delay, FREED_MILLIS_PER_100_MEGABYTES));
    }
    return targets;
  }

  /** Judges the 99th percentile, or the maximum if there are too few samples for a percentile. */
  private static Target tail(String name, Latencies latencies, double limit) {
    OptionalDouble p99 = latencies.p99();
    int count = latencies.samples().size();
    return p99.isPresent()
        ? new Target(name, "p99 " + text(p99) + " of " + count + " kills", atMost(p99, limit))
        : new Target(
            name,
            "judged by the maximum, "
                + text(latencies.max())
                + ", because "
                + count
                + " kills are too few for a p99",
            atMost(latencies.max(), limit));
  }

  private static Target faster(Latencies kernel, Latencies jvm) {
    String name = "p50 of that at least 100 times below the YARN-style killer's";
    if (kernel.p50().isEmpty() || jvm.p50().isEmpty()) {
      return new Target(name, "not measured: one of them killed nothing", false);
    }
    double factor = jvm.p50().getAsDouble() / kernel.p50().getAsDouble();
    return new Target(
        name,
        String.format(
            Locale.ROOT, "%.0f times (%s against %s)", factor, text(jvm.p50()), text(kernel.p50())),
        factor >= TIMES_FASTER);
  }

  private static List<KillSummary> ofVariant(List<KillSummary> summaries, String variant) {
    return summaries.stream().filter(summary -> summary.variant().equals(variant)).toList();
  }

  private static Latencies pooled(
      List<KillSummary> summaries, Function<KillSummary, Latencies> part) {
    return new Latencies(
        summaries.stream().flatMap(one -> part.apply(one).samples().stream()).toList());
  }

  private static boolean atMost(OptionalDouble value, double limit) {
    return value.isPresent() && value.getAsDouble() <= limit;
  }

  private static String text(OptionalDouble millis) {
    return millis.isPresent()
        ? String.format(
            Locale.ROOT, millis.getAsDouble() < 1 ? "%.3f ms" : "%.1f ms", millis.getAsDouble())
        : "nothing measured";
  }
}
