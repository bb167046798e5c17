/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RegulatorWatchTest {
  private final RegulatorWatch watch = new RegulatorWatch();

  private void seen(String regulators) throws JsonProcessingException {
    watch.add(
        new NodeStatuses(
            List.of(
                new ObjectMapper()
                    .readTree("{'regulators':[%s]}".formatted(regulators).replace('\'', '"')))));
  }

  @Test
  void secondsAreCountedByCauseAndLimitsByTheirExtremes() throws JsonProcessingException {
    seen("{'name':'memory','mode':'enforce','limitUnit':'bytes','limit':0,'cause':'learning'}");
    seen("{'name':'memory','mode':'enforce','limitUnit':'bytes','limit':9,'cause':'inside'}");
    seen(
        "{'name':'memory','mode':'enforce','limitUnit':'bytes','limit':5,'cause':'inside',"
            + "'result':'applied: 5'}");

    RegulatorTrace trace = watch.traces().get(0);

    assertThat(trace.node()).isEqualTo("node1");
    assertThat(trace.lowestLimit()).hasValue(0);
    assertThat(trace.highestLimit()).hasValue(9);
    assertThat(trace.secondsByCause()).isEqualTo(Map.of("learning", 1, "inside", 2));
    assertThat(trace.last()).isEqualTo("applied: 5");
  }

  @Test
  void oneThatCannotActSaysWhyAndOneThatIsOffSaysNothing() throws JsonProcessingException {
    seen("{'name':'cpu','mode':'enforce','unavailable':'no cgroups'},{'name':'x','mode':'off'}");

    assertThat(watch.traces()).hasSize(1);
    assertThat(watch.traces().get(0).last()).isEqualTo("unavailable: no cgroups");
    assertThat(watch.traces().get(0).lowestLimit()).isEmpty();
  }
}
