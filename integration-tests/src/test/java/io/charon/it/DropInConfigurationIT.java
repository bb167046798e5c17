/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import static io.charon.it.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The behaviour of a real NodeManager with wrong settings. */
@WritableCgroups
class DropInConfigurationIT {
  private static final String FAIL_FAST = "yarn.nodemanager.charon.fail-fast";
  private static final Map<String, String> WRONG =
      Map.of("yarn.nodemanager.charon.scheduler.resync-ms", "soon");

  @Test
  void startsWithoutCharonAndSaysWhy() throws Exception {
    Map<String, String> properties = new HashMap<>(WRONG);
    properties.put(FAIL_FAST, "false");
    try (TestNode node = TestNode.start("enforce", properties)) {
      assertThat(node.log())
          .contains("runs WITHOUT Charon")
          .contains("yarn.nodemanager.charon.scheduler.resync-ms is 'soon'")
          .contains("a whole number from 100 to 600000");
      HoldJob job = node.submit(1, 0);
      job.release();
      await("a job ends on the stock node", job::isComplete);
      assertThat(job.isSuccessful()).isTrue();
    }
  }

  @Test
  void stopsIfToldTo() {
    Map<String, String> properties = new HashMap<>(WRONG);
    properties.put(FAIL_FAST, "true");
    assertThatThrownBy(() -> TestNode.start("enforce", properties).close())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("yarn.nodemanager.charon.scheduler.resync-ms is 'soon'");
  }
}
