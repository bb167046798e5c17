/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Tests the parsing of output of the kernel and of the native programs. */
class RecordsTest {
  private static KillDecision decision(String lastSignal) throws Exception {
    return KillDecision.of(
        new ObjectMapper()
            .readTree(
                "{\"monotonicNanos\":5000000,\"victimId\":42,\"memoryBytes\":7,\"triggerId\":43,"
                    + "\"series\":\"file\",\"decisionToLastSignalMillis\":"
                    + lastSignal
                    + "}"));
  }

  @Test
  void aDecisionHasItsTimesOnOneClock() throws Exception {
    assertThat(decision("0.125"))
        .isEqualTo(new KillDecision(42, 5_000_000, OptionalLong.of(5_125_000), 7, 43, "file"));
    assertThat(decision("null").lastSignalNanos()).isEmpty();
  }

  @Test
  void memoryStatisticsCountNestedCgroupsAndSwap() {
    String version1 =
        """
        rss 1
        workingset_refault_anon 1
        total_rss 4096
        total_swap 8192
        total_workingset_refault_anon 10
        total_workingset_refault_file 200
        total_workingset_activate_file 9
        """;
    assertThat(MemoryStatistics.of(version1, OptionalLong.empty()))
        .isEqualTo(new MemoryStatistics(10, 200, 12288));
    String version2 =
        """
        anon 4096
        workingset_refault_anon 3
        workingset_refault_file 4
        """;
    assertThat(MemoryStatistics.of(version2, OptionalLong.of(4096)))
        .isEqualTo(new MemoryStatistics(3, 4, 8192));
  }
}
