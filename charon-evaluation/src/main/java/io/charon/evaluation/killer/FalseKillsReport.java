/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Reports the counts of {@code bench false-kills}. */
public final class FalseKillsReport {
  private FalseKillsReport() {}

  /**
   * Returns the report of a run; it is not ok if a limit of {@link FalseKillsTargets} is not met.
   */
  public static Report of(FalseKillsResult result) {
    ObjectNode json = json(result);
    List<List<String>> rows = new ArrayList<>();
    for (String field :
        List.of(
            "rounds",
            "episodes",
            "guiltyKills",
            "productionKills",
            "innocentKills",
            "falseAlarms",
            "killsWithoutRelief",
            "missedThrash",
            "endedLate",
            "anonymousEpisodes",
            "anonymousEndedInTime",
            "fileEpisodes",
            "fileEndedInTime",
            "endedByOthers",
            "productionEndedByOthers")) {
      rows.add(List.of(field, json.path(field).asText()));
    }
    List<Target> bars = FalseKillsTargets.of(result);
    List<String> remarks = new ArrayList<>();
    remarks.add(
        String.format(
            Locale.ROOT,
            "Seeds %d to %d, cgth_time %d ms, file refaults that count: %s; %.0f s.",
            result.options().seed(),
            result.options().seed() + result.verdicts().size() - 1,
            result.options().tolerance().toMillis(),
            result.options().fileRefaults(),
            result.seconds()));
    remarks.add(
        "Recall of file thrash: "
            + FalseKillsTargets.recall(result.spells(RoundVerdict::file))
            + " (no target).");
    remarks.add("");
    bars.forEach(bar -> remarks.add(bar.line()));
    return new Report(
        List.of("count", "of all rounds"),
        rows,
        remarks,
        json,
        bars.stream().allMatch(Target::met));
  }

  private static ObjectNode json(FalseKillsResult result) {
    ThrashEpisodes anonymous = result.spells(RoundVerdict::anonymous);
    ThrashEpisodes file = result.spells(RoundVerdict::file);
    return JsonNodeFactory.instance
        .objectNode()
        .put("rounds", result.verdicts().size())
        .put("episodes", result.sum(RoundVerdict::episodes))
        .put("guiltyKills", result.sum(RoundVerdict::guiltyKills))
        .put("productionKills", result.sum(RoundVerdict::productionKills))
        .put("innocentKills", result.sum(RoundVerdict::innocentKills))
        .put("falseAlarms", result.sum(RoundVerdict::falseAlarms))
        .put("killsWithoutRelief", result.sum(RoundVerdict::killsWithoutRelief))
        .put("missedThrash", result.sum(RoundVerdict::missedThrash))
        .put("endedLate", result.sum(RoundVerdict::endedLate))
        .put("anonymousEpisodes", anonymous.episodes())
        .put("anonymousEndedInTime", anonymous.endedInTime())
        .put("anonymousSurvivors", anonymous.survivors())
        .put("fileEpisodes", file.episodes())
        .put("fileEndedInTime", file.endedInTime())
        .put("endedByOthers", result.sum(RoundVerdict::endedByOthers))
        .put("productionEndedByOthers", result.sum(RoundVerdict::productionEndedByOthers))
        .put("seed", result.options().seed())
        .put("cgthTimeMillis", result.options().tolerance().toMillis())
        .put("fileRefaults", result.options().fileRefaults())
        .put("episodeSeconds", result.options().episode().toMillis() / 1000.0);
  }
}
