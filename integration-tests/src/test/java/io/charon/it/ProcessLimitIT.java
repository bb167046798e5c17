/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import static io.charon.it.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.charon.nodemanager.cgroup.CgroupController;
import io.charon.nodemanager.cgroup.CgroupHierarchy;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.ProcessCount;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.Container;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A fork bomb in a best-effort container of a real NodeManager that may have 300 processes. */
@Tag("pressure")
@SharedNode(SharedNode.Settings.NO_KILLER)
class ProcessLimitIT {
  private static final long BOUND = 300;
  private static final String FORK_BOMB = "exec bash -c 'while :; do sleep 1000 & done'";

  @Test
  void aForkBombHasWhatTheReserveLeavesUntilTheMechanismIsTurnedOff(TestNode node)
      throws Exception {
    CgroupLayout machine = CgroupLayout.detect(Path.of("/proc"), "/charon");
    Optional<CgroupHierarchy> found = machine.hierarchy(CgroupController.PROCESSES);
    assumeThat(found).as("the pids controller").isPresent();
    CgroupHierarchy pids = found.orElseThrow();
    Path path = machine.memory().mountPoint().relativize(node.memoryCgroup());
    Path cgroup = pids.mountPoint().resolve(path);
    ProcessCount all = new ProcessCount(cgroup, pids.version());
    ProcessCount bestEffort = new ProcessCount(cgroup.resolve("best-effort"), pids.version());

    assertThat(all.limit(BOUND)).isEqualTo("pids.max=300");
    try (OwnMaster master = new OwnMaster(node.cluster().clientConfiguration())) {
      node.change(Map.of("process-limit.mode", "enforce", "process-limit.reserve-percent", "50"));
      await("there is a limit", () -> bestEffort.limit().isPresent());
      Container bomb = master.run(FORK_BOMB, 100);
      await("the bomb has all that it may have", () -> bestEffort.current() == 150);
      assertThat(bestEffort.limit()).hasValue(150);
      assertThat(master.ended(bomb)).isEmpty();
      assertThat(node.actions())
          .anyMatch(
              action ->
                  action.path("regulator").asText().equals("process-limit")
                      && action.path("result").asText().equals("applied: pids.max=150"));

      node.change(Map.of("process-limit.mode", "off"));
      await("there is none", () -> bestEffort.limit().isEmpty());
    } finally {
      all.unlimit();
    }
    node.awaitNothingLeft();
  }
}
