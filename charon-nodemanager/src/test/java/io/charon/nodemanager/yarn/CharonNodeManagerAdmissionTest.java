/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the container scheduler that CharonNodeManager provides. */
@Tag("hadoop")
class CharonNodeManagerAdmissionTest extends AdmissionContract {
  @Override
  StockYarn yarn(int queueLimit) {
    return new StockYarn(queueLimit, CharonContainerScheduler::new);
  }

  @Test
  void aNodeWhoseQueueIsFullIsLeftOutByTheResourceManager() {
    StockYarn yarn = fullNode();
    assertThat(yarn.scheduler().getOpportunisticContainersStatus().getEstimatedQueueWaitTime())
        .isEqualTo(-1);
  }
}
