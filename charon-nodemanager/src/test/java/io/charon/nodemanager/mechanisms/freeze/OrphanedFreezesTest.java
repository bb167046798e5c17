/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.freeze;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.Counter;
import io.charon.nodemanager.cgroup.ContainerFreezer;
import io.charon.nodemanager.cgroup.FakeMachine;
import io.charon.nodemanager.container.Phase;
import io.charon.nodemanager.execution.ActionExecutor;
import io.charon.nodemanager.execution.ContainerControl;
import io.charon.nodemanager.execution.DyingContainers;
import io.charon.nodemanager.report.audit.Audit;
import io.charon.nodemanager.report.audit.AuditLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OrphanedFreezesTest {
  private static final String FILE = "cgroup/charon/best-effort/c1/cgroup.freeze";

  @TempDir Path root;
  private Phase phase = Phase.STARTING;
  private ActionExecutor executor;

  private OrphanedFreezes orphans(FakeMachine machine) throws IOException {
    ContainerFreezer freezer = new ContainerFreezer(machine.detect("/charon"));
    Counter failures = new Counter();
    executor =
        new ActionExecutor(
            new DyingContainers(System::nanoTime, () -> {}),
            (mechanism, id, reason) -> {},
            ContainerControl.of(
                Optional.of(freezer),
                id -> {
                  throw new AssertionError(id);
                }),
            Audit.direct(
                Optional.of(new AuditLog(root.resolve("audit"), 1 << 20)),
                Clock.systemUTC(),
                failures),
            failures,
            System::nanoTime);
    return new OrphanedFreezes(freezer, id -> phase, (id, thaw) -> thaw.run(), executor, failures);
  }

  @AfterEach
  void close() {
    executor.close();
  }

  @Test
  void aLeftoverFreezeIsThawedUnlessYarnPausedTheContainer() throws IOException {
    FakeMachine machine = FakeMachine.v2(root).file(FILE, "1\n");
    OrphanedFreezes orphans = orphans(machine);
    orphans.recovered("c1");

    orphans.tick();
    assertThat(machine.read(FILE)).isEqualTo("1");
    phase = Phase.PAUSED;
    orphans.tick();
    assertThat(machine.read(FILE)).isEqualTo("1");
    phase = Phase.RUNNING;
    orphans.tick();
    assertThat(machine.read(FILE)).isEqualTo("0");

    machine.file(FILE, "1\n");
    orphans.tick();
    assertThat(machine.read(FILE)).as("somebody froze it since").isEqualTo("1");
    assertThat(Files.readAllLines(root.resolve("audit/audit.jsonl")))
        .singleElement()
        .asString()
        .contains("\"regulator\":\"freeze\"", "\"action\":\"thaw\",\"target\":\"c1\"")
        .contains("applied: thawed", "an earlier NodeManager left it frozen");
  }

  @Test
  void anOrphanThatYarnDoesNotKnowAnyMoreIsThawedSoThatItCanEnd() throws IOException {
    FakeMachine machine =
        FakeMachine.v2(root)
            .file(FILE, "1\n")
            .file("cgroup/charon/best-effort/c2/cgroup.freeze", "0\n");
    OrphanedFreezes orphans = orphans(machine);

    orphans.start();
    phase = Phase.ENDING; // the phase of an unknown container
    orphans.tick();

    assertThat(machine.read(FILE)).isEqualTo("0");
  }

  @Test
  void aContainerFrozenAfterTheStartIsNoLeftover() throws IOException {
    FakeMachine machine = FakeMachine.v2(root).file(FILE, "0\n");
    OrphanedFreezes orphans = orphans(machine);
    orphans.start();

    machine.file(FILE, "1\n");
    phase = Phase.RUNNING;
    orphans.tick();

    assertThat(machine.read(FILE)).isEqualTo("1");
  }
}
