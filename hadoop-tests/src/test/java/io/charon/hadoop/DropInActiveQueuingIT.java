/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.hadoop;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Hadoop's tests reserve the whole of a node of 2 GB and expect the rest to wait or to be killed
 * for it. Charon launches by the memory that is free on the machine, and nobody dies for a
 * reservation: all that differs follows from that.
 */
@Tag("long")
class DropInActiveQueuingIT {
  private static final String LAUNCHED = "starts, because memory is free, where YARN lets it wait";
  private static final String NOT_KILLED = "goes on, because memory is free, where YARN kills it";

  @Test
  void differsWhereItMeansTo() throws Exception {
    HadoopsTests.run(
        "enforce",
        QueuingWithCharon.class,
        Map.ofEntries(
            Map.entry("testQueueMultipleContainers", LAUNCHED),
            Map.entry("testStartAndQueueMultipleContainers", LAUNCHED),
            Map.entry("testStartOpportunisticsWhenOppQueueIsFull", LAUNCHED),
            Map.entry("testQueueShedding", LAUNCHED),
            Map.entry("testContainerDeQueuedAfterAMKill", LAUNCHED),
            Map.entry("testStopQueuedContainer", LAUNCHED),
            Map.entry("testPromotionOfOpportunisticContainers", LAUNCHED),
            Map.entry("testKillOpportunisticForGuaranteedContainer", NOT_KILLED),
            Map.entry("testKillMultipleOpportunisticContainers", NOT_KILLED),
            Map.entry("testKillOnlyRequiredOpportunisticContainers", NOT_KILLED),
            Map.entry(
                "testPauseOpportunisticForGuaranteedContainer",
                "goes on, because memory is free, where YARN pauses it")));
  }
}
