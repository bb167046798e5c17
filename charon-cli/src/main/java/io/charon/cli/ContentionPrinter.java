/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import io.charon.sls.contention.ContentionTest.Settings;
import io.charon.sls.contention.PowerCurve;
import io.charon.sls.contention.Verdict;
import io.charon.sls.trace.BadRows;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Prints the results of {@code charon contention} and of its curve. */
final class ContentionPrinter {
  private static final double PERCENT = 100;
  private static final double MIN_SHOWN = 0.0001;

  private final PrintWriter out;

  ContentionPrinter(PrintWriter out) {
    this.out = out;
  }

  /** Prints one row per service, the reasons, and the rows that were left out. */
  void verdicts(Settings settings, Map<String, Verdict> verdicts, BadRows bad, int listed) {
    TextTable table =
        new TextTable("service", "verdict", "effect", "at least", "at most", "chance", "intervals");
    verdicts.forEach(
        (service, verdict) -> {
          Optional<Verdict.Effect> effect = verdict.effect();
          table.add(
              PlainText.escape(service),
              verdict.kind().text(),
              effect.map(known -> signed(known.estimate())).orElse("-"),
              effect.map(known -> signed(known.low())).orElse("-"),
              effect.map(known -> signed(known.high())).orElse("-"),
              effect.map(known -> chance(known.chance())).orElse("-"),
              String.format(Locale.ROOT, "%,d", verdict.intervals()));
        });
    table.print(out, "");
    out.println();
    verdicts.forEach(
        (service, verdict) ->
            out.println(
                "%s: %s: %s"
                    .formatted(
                        PlainText.escape(service), verdict.kind().text(), verdict.reason())));
    out.printf(
        Locale.ROOT,
        "effect: how much higher the value is while best-effort uses a lot (its 90th "
            + "percentile) than while it uses little (its 10th), at equal load;%nat least, at "
            + "most: bounds, each of which is wrong in %s of 100 cases; chance: probability of "
            + "seeing such an effect where there is none%n",
        number(PERCENT * settings.chance()));
    if (bad.count() > 0) {
      out.printf(Locale.ROOT, "%,d bad rows left out, the first:%n", bad.count());
      bad.first().stream().limit(listed).forEach(row -> out.println("  " + PlainText.escape(row)));
    }
    out.flush();
  }

  /** Prints one row per true effect. */
  void curve(Settings settings, List<PowerCurve.Point> points, double seconds) {
    TextTable table =
        new TextTable(
            "true effect",
            "days",
            "noise",
            "noise min",
            "job min",
            "estimate",
            "suffers",
            "fine",
            "unknown",
            "any effect",
            "naive test");
    for (PowerCurve.Point point : points) {
      table.add(
          number(PERCENT * point.truth().effect()) + " %",
          number(point.truth().days()),
          number(PERCENT * point.truth().noise()) + " %",
          number(point.truth().noiseMinutes()),
          number(point.truth().jobMinutes()),
          String.format(Locale.ROOT, "%.2f %%", PERCENT * point.meanEstimate()),
          share(point.suffers(), point),
          share(point.fine(), point),
          share(point.draws() - point.suffers() - point.fine(), point),
          share(point.significant(), point),
          share(point.naive(), point));
    }
    table.print(out, "");
    out.printf(
        Locale.ROOT,
        "of %,d services each; suffers, fine, unknown: the answers, with %s %% false "
            + "alarms allowed and effects from %s %% on that matter;%nany effect: an effect of "
            + "any size was found; naive test: the same if all intervals were independent; %.0f s%n",
        points.get(0).draws(),
        number(PERCENT * settings.chance()),
        number(PERCENT * settings.leastEffect()),
        seconds);
    out.flush();
  }

  private static String share(long count, PowerCurve.Point point) {
    return String.format(Locale.ROOT, "%.1f %%", PERCENT * count / point.draws());
  }

  private static String signed(double share) {
    return String.format(Locale.ROOT, "%+.1f %%", PERCENT * share);
  }

  private static String chance(double chance) {
    return chance < MIN_SHOWN ? "< 0.0001" : String.format(Locale.ROOT, "%.4f", chance);
  }

  /** Rounds to four decimals and drops trailing zeros. */
  private static String number(double value) {
    return new BigDecimal(String.format(Locale.ROOT, "%.4f", value))
        .stripTrailingZeros()
        .toPlainString();
  }
}
