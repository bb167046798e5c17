/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** Follows the regulators of all nodes through the nodes' status documents. */
final class RegulatorWatch {
  private record Key(int node, String name) {}

  private static final class Seen {
    private final DoubleSummaryStatistics limits = new DoubleSummaryStatistics();
    private final Map<String, Integer> causes = new LinkedHashMap<>();
    private JsonNode last;
  }

  private final Map<Key, Seen> regulators = new LinkedHashMap<>();

  /** Adds one sample of all nodes; ignores regulators that are off. */
  void add(NodeStatuses statuses) {
    for (int node = 0; node < statuses.documents().size(); node++) {
      for (JsonNode regulator : statuses.documents().get(node).path("regulators")) {
        if (!regulator.path("mode").asText().equals("off")) {
          see(new Key(node, regulator.path("name").asText()), regulator);
        }
      }
    }
  }

  private void see(Key key, JsonNode regulator) {
    Seen seen = regulators.computeIfAbsent(key, unused -> new Seen());
    seen.last = regulator;
    if (regulator.has("limit")) {
      seen.limits.accept(regulator.path("limit").asDouble());
      seen.causes.merge(regulator.path("cause").asText(), 1, Integer::sum);
    }
  }

  /** Returns a trace of each regulator on each node. */
  List<RegulatorTrace> traces() {
    List<RegulatorTrace> traces = new ArrayList<>();
    regulators.forEach((key, seen) -> traces.add(trace(key, seen)));
    return traces;
  }

  private static RegulatorTrace trace(Key key, Seen seen) {
    boolean decided = seen.limits.getCount() > 0;
    JsonNode last = seen.last;
    return new RegulatorTrace(
        "node" + (key.node() + 1),
        key.name(),
        last.path("signal").asText(),
        last.path("limitUnit").asText(),
        decided ? OptionalDouble.of(seen.limits.getMin()) : OptionalDouble.empty(),
        decided ? OptionalDouble.of(seen.limits.getMax()) : OptionalDouble.empty(),
        seen.causes,
        last.has("unavailable")
            ? "unavailable: " + last.path("unavailable").asText()
            : last.path("result").asText());
  }
}
