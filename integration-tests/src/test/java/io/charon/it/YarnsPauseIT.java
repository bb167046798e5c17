/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import static io.charon.it.TestNode.await;

import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.Test;

/** YARN's own pause, which Charon carries out where the decisions are left to YARN. */
@WritableCgroups
class YarnsPauseIT {

  @Test
  void yarnsOwnPauseInPlaceOfPreemptionFreezesAndResumes() throws Exception {
    try (TestNode node =
        TestNode.start(
            "off",
            Map.of(
                YarnConfiguration.NM_CONTAINER_QUEUING_USE_PAUSE_FOR_PREEMPTION,
                "true",
                "yarn.nodemanager.charon.cgroup.every-mode.enabled",
                "true"))) {
      HoldJob job = node.submit(1, 0);
      await("a best-effort task runs", () -> node.started().size() == 1);
      Path cgroup = node.memoryCgroup().resolve("best-effort/" + node.newest());
      await("the task works", () -> !Threads.areStalled(cgroup));

      // Its ApplicationMaster is guaranteed, and there is no room for it beside the task.
      HoldJob second = node.submit(1, 0);
      await("the task is paused", () -> Threads.areStalled(cgroup));
      second.kill();
      await("it goes on", () -> !Threads.areStalled(cgroup));

      job.endsWithoutLoss();
      node.awaitNothingLeft();
    }
  }
}
