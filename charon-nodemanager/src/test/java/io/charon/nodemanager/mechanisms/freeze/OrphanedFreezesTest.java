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
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OrphanedFreezesTest {
  private static final String FILE = "cgroup/charon/best-effort/c1/cgroup.freeze";

  @TempDir Path root;
  private Phase phase = Phase.STARTING;

  @Test
  void aLeftoverFreezeIsThawedUnlessYarnPausedTheContainer() throws IOException {
    FakeMachine machine = FakeMachine.v2(root).file(FILE, "1\n");
    OrphanedFreezes orphans =
        new OrphanedFreezes(
            new ContainerFreezer(machine.detect("/charon")),
            id -> phase,
            (id, thaw) -> thaw.run(),
            new Counter());
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
  }

  @Test
  void anOrphanThatYarnDoesNotKnowAnyMoreIsThawedSoThatItCanEnd() throws IOException {
    FakeMachine machine =
        FakeMachine.v2(root)
            .file(FILE, "1\n")
            .file("cgroup/charon/best-effort/c2/cgroup.freeze", "0\n");
    OrphanedFreezes orphans =
        new OrphanedFreezes(
            new ContainerFreezer(machine.detect("/charon")),
            id -> phase,
            (id, thaw) -> thaw.run(),
            new Counter());

    orphans.start();
    phase = Phase.ENDING; // the phase of an unknown container
    orphans.tick();

    assertThat(machine.read(FILE)).isEqualTo("0");
  }

  @Test
  void aContainerFrozenAfterTheStartIsNoLeftover() throws IOException {
    FakeMachine machine = FakeMachine.v2(root).file(FILE, "0\n");
    OrphanedFreezes orphans =
        new OrphanedFreezes(
            new ContainerFreezer(machine.detect("/charon")),
            id -> phase,
            (id, thaw) -> thaw.run(),
            new Counter());
    orphans.start();

    machine.file(FILE, "1\n");
    phase = Phase.RUNNING;
    orphans.tick();

    assertThat(machine.read(FILE)).isEqualTo("1");
  }
}
