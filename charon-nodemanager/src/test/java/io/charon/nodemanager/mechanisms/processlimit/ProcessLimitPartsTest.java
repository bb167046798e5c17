/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.processlimit;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.law.ProcessLimit.Bound;
import io.charon.core.law.ProcessLimit.Use;
import io.charon.core.law.RegulatorMode;
import io.charon.nodemanager.cgroup.FakeMachine;
import io.charon.nodemanager.config.ProcessLimitSettings;
import io.charon.nodemanager.execution.SingleMechanism;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("hadoop")
class ProcessLimitPartsTest {
  private static final String SLICE = "cgroup/yarn.slice";
  private static final String BEST_EFFORT = SLICE + "/charon/best-effort";

  @TempDir private Path root;
  private FakeMachine machine;

  @BeforeEach
  void setUp() {
    machine =
        FakeMachine.v2(root)
            .file("proc/loadavg", "4.11 2.26 2.47 10/1540 9957\n")
            .file("proc/sys/kernel/pid_max", "32768\n")
            .file("proc/sys/kernel/threads-max", "192730\n")
            .file(SLICE + "/pids.max", "4915\n")
            .file(SLICE + "/pids.current", "700\n")
            .file(SLICE + "/charon/pids.max", "max\n")
            .file(BEST_EFFORT + "/pids.current", "200\n")
            .file(BEST_EFFORT + "/pids.max", "max\n");
  }

  private SingleMechanism<Use> parts() throws IOException {
    return ProcessLimitParts.of(
        new ProcessLimitSettings(RegulatorMode.ENFORCE, 0.1),
        Optional.of(machine.detect("/yarn.slice/charon")),
        root.resolve("proc"));
  }

  @Test
  void theMachineAndEveryLimitAboveAreBounds() throws IOException {
    assertThat(parts().read(1))
        .contains(
            new Use(
                List.of(
                    new Bound("kernel.pid_max", 32_768, 1_540),
                    new Bound("kernel.threads-max", 192_730, 1_540),
                    new Bound("pids.max of " + root.resolve(SLICE), 4_915, 700)),
                200));
  }

  @Test
  void beforeBestEffortHasACgroupItHasNoProcess() throws IOException {
    try (Stream<Path> files = Files.list(root.resolve(BEST_EFFORT))) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(root.resolve(BEST_EFFORT));

    assertThat(parts().read(1).orElseThrow().bestEffort()).isZero();
  }

  @Test
  void aFileThatCannotBeParsedLeavesTheMechanismWithoutAReading() throws IOException {
    machine.file("proc/loadavg", "4.11 2.26 2.47\n");
    assertThat(parts().read(1)).isEmpty();
  }

  @Test
  void whatIsMissingIsSaid() throws IOException {
    assertThat(parts().mechanism().availability().isAvailable()).isTrue();

    machine = FakeMachine.v1(root.resolve("other"));
    SingleMechanism<Use> without =
        ProcessLimitParts.of(
            new ProcessLimitSettings(RegulatorMode.ENFORCE, 0.1),
            Optional.of(machine.detect("/charon")),
            root.resolve("proc"));
    assertThat(without.mechanism().availability().missing().orElseThrow())
        .contains("mount cgroup v2 with pids");
    assertThat(without.actuator().unavailable()).isPresent();
    assertThat(without.read(1)).isEmpty();
  }
}
