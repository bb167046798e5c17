/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.status;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.charon.core.stop.StopAction;
import io.charon.core.stop.StopOrder;
import io.charon.nodemanager.mechanisms.stop.StopState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StopDocumentsTest {
  @Test
  void theContainersThatAStopKeepsFrozenAreNamed() throws Exception {
    StopState state =
        new StopState(
            new StopOrder(
                StopAction.FREEZE, "alice", Instant.parse("2026-01-02T03:04:05Z"), "update"),
            true,
            7,
            Optional.empty(),
            Optional.empty(),
            List.of("c1", "c2"),
            Optional.empty());
    assertThat(new ObjectMapper().writeValueAsString(StopDocuments.stop(state)))
        .isEqualTo(
            """
            {"action":"freeze","origin":"cluster","by":"alice","since":"2026-01-02T03:04:05Z",\
            "reason":"update","frozen":2,"frozenContainers":["c1","c2"],"readMillis":7}""");
  }
}
