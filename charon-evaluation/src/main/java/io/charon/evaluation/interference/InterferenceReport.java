/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import static io.charon.evaluation.report.ReportNumbers.number;
import static io.charon.evaluation.report.ReportNumbers.putRounded;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.charon.evaluation.killer.Report;
import io.charon.evaluation.killer.ReportHtml;
import io.charon.evaluation.killer.ReportHtml.Verdict;
import io.charon.evaluation.killer.Target;
import io.charon.evaluation.postgres.PgbenchClients;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writes the report of {@code bench interference}. */
public final class InterferenceReport {
  private static final List<String> HEADER =
      List.of(
          "production:best-effort",
          "mode",
          "s below half",
          "s to full",
          "median",
          "of no-contest",
          "p99",
          "p50 ms",
          "p99 ms",
          "work",
          "limit MB",
          "holds MB",
          "killed",
          "by Linux",
          "production");

  private static final String TRANSACTIONS =
      String.format(
          Locale.ROOT,
          "postgresql: %d transactions a second are due; speed: those that ended; latency: from the moment one was due."
              + " All time counts.",
          PgbenchClients.RATE);

  private InterferenceReport() {}

  /** Returns the report of a run. */
  public static Report of(InterferenceResult result) {
    List<ScenarioSummary> summaries = result.summaries();
    List<Target> targets = InterferenceTargets.of(result);
    List<String> remarks = new ArrayList<>(remarks(result));
    if (summaries.stream().anyMatch(summary -> !summary.pair().production().isProgram())) {
      remarks.add(TRANSACTIONS);
    }
    remarks.add("");
    boolean judged = InterferenceTargets.areJudged(result.options());
    if (!judged) {
      remarks.add(
          "Fewer than 3 episodes, or episodes shorter than 10 s: of the targets only the "
              + "first is judged.");
    }
    targets.forEach(target -> remarks.add(target.line()));
    return new Report(
        HEADER,
        summaries.stream().map(InterferenceReport::row).toList(),
        remarks,
        json(result, summaries, targets),
        targets.stream().limit(judged ? targets.size() : 1).allMatch(Target::met));
  }

  /** Returns the report as one HTML file. */
  public static String html(Report report, InterferenceResult result) throws IOException {
    Map<String, byte[]> figures = new LinkedHashMap<>();
    for (Pair pair : result.options().pairs()) {
      InterferenceChart.svg(pair, result.summaries())
          .ifPresent(svg -> figures.put("production's speed: " + pair.name(), svg));
    }
    return ReportHtml.text(
        "Production next to best-effort",
        report,
        InterferenceTargets.of(result).stream()
            .map(target -> new Verdict(target.line(), target.met()))
            .toList(),
        figures);
  }

  private static List<String> remarks(InterferenceResult result) {
    return List.of(
        String.format(
            Locale.ROOT,
            "A node of %d MB without swap; production works on %d MB, and reserves %d. %d episode%s of %.0f s each.",
            InterferenceNode.MEGABYTES,
            Production.MEGABYTES,
            Production.RESERVED_MEGABYTES,
            result.options().episodes(),
            result.options().episodes() == 1 ? "" : "s",
            result.options().episode().toMillis() / 1e3),
        "s below half: seconds of an episode in which production is slower than half of "
            + "warm production's median in no-contest (in alone, if no-contest is not measured). "
            + "s to full: seconds from a cold start to 0.8 of it; > : not within an episode. "
            + "median, p99: of speed and of latency, as ratios to alone; p50 ms, p99 ms: the latency itself. work: best-effort's "
            + "work, as a ratio to that in none.",
        "Where each side has its own processor (all but forks and jvms), time in which "
            + "production waited for it is not counted: other processes of this machine used it. "
            + "Latencies include it.",
        String.format(
            Locale.ROOT,
            "Linux %s, %d CPUs; %.0f s.",
            result.kernel(),
            result.processors(),
            result.seconds()));
  }

  private static List<String> row(ScenarioSummary summary) {
    boolean bestEffort = summary.mode().runsBestEffort();
    return List.of(
        summary.pair().name(),
        summary.mode().label(),
        number("%.1f", summary.secondsBelowHalf()),
        (summary.isFullSpeedMissed() ? ">" : "") + number("%.1f", summary.secondsToFullSpeed()),
        number("%.2f", summary.medianVsAlone()),
        number("%.2f", summary.medianVsNoContest()),
        number("%.2f", summary.p99VsAlone()),
        number("%.3g", summary.latencyMillis(50)),
        number("%.3g", summary.latencyMillis(99)),
        number("%.2f", summary.workVsNone()),
        number("%.0f", summary.limitMegabytes()),
        number("%.0f", summary.bestEffortMegabytes()),
        bestEffort ? Integer.toString(summary.charonKills()) : "-",
        bestEffort ? Integer.toString(summary.kernelOomKills()) : "-",
        summary.productionKilled() == 0 ? "lives" : summary.productionKilled() + " KILLED");
  }

  private static ObjectNode json(
      InterferenceResult result, List<ScenarioSummary> summaries, List<Target> targets) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    ArrayNode scenarios = root.putArray("scenarios");
    for (ScenarioSummary summary : summaries) {
      ObjectNode node =
          scenarios
              .addObject()
              .put("production", summary.pair().production().label())
              .put("bestEffort", summary.pair().bestEffort().label())
              .put("mode", summary.mode().label())
              .put("cold", summary.pair().cold());
      putRounded(node, "secondsBelowHalf", summary.secondsBelowHalf());
      putRounded(node, "secondsToFullSpeed", summary.secondsToFullSpeed());
      node.put("fullSpeedMissed", summary.isFullSpeedMissed());
      putRounded(node, "medianVsAlone", summary.medianVsAlone());
      putRounded(node, "p99VsAlone", summary.p99VsAlone());
      putRounded(node, "medianVsNoContest", summary.medianVsNoContest());
      putRounded(node, "p99VsNoContest", summary.p99VsNoContest());
      putRounded(node, "p50Millis", summary.latencyMillis(50));
      putRounded(node, "p99Millis", summary.latencyMillis(99));
      putRounded(node, "bestEffortWorkVsNone", summary.workVsNone());
      putRounded(node, "wallMegabytes", summary.limitMegabytes());
      putRounded(node, "bestEffortMegabytes", summary.bestEffortMegabytes());
      putRounded(node, "productionMegabytes", summary.productionMegabytes());
      node.putObject("kills")
          .put("charon", summary.charonKills())
          .put("kernelOom", summary.kernelOomKills());
      node.put("productionKilled", summary.productionKilled());
      node.put("episodes", summary.episodes().size());
      putRounded(node, "aaSpread", summary.comparison().aaSpread());
    }
    Target.putAll(root, targets);
    return root.put("episodeSeconds", result.options().episode().toMillis() / 1e3)
        .put("nodeMegabytes", InterferenceNode.MEGABYTES)
        .put("cpus", result.processors())
        .put("kernel", result.kernel());
  }
}
