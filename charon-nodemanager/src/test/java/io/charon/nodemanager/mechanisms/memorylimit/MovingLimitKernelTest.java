/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.memorylimit;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.Action.Basis;
import io.charon.core.mechanism.Change;
import io.charon.core.mechanism.Limit;
import io.charon.nodemanager.Requirement;
import io.charon.nodemanager.cgroup.CgroupFile;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.CgroupVersion;
import io.charon.nodemanager.cgroup.CgroupWriter;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.cgroup.RealCgroups;
import io.charon.nodemanager.helper.Helper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests on this machine's kernel what the NodeManager writes when the program is gone. */
@ExtendWith(RealCgroups.class)
class MovingLimitKernelTest {
  private static final long MB = 1 << 20;

  private final FakeMover mover = new FakeMover();
  private CgroupLayout layout;
  private CgroupWriter writer;

  @BeforeEach
  void limitedByTheProgramAsItEnded() throws IOException {
    layout = RealCgroups.layout("moving");
    writer = new CgroupWriter(layout, Optional.empty());
    writer.prepareNode();
    Requirement.require(
        MovingLimitKernelTest.class,
        layout.version() == CgroupVersion.V1 && Files.exists(file(CgroupFile.SWAP_LIMIT)),
        "this kernel does not limit memory and swap together");
    Files.writeString(file(CgroupFile.MEMORY_LIMIT), Long.toString(100 * MB));
    Files.writeString(file(CgroupFile.SWAP_LIMIT), Long.toString(100 * MB));
    mover.missing = Optional.of("it has ended");
  }

  @AfterEach
  void leaveNothingBehind() {
    assertThat(writer.removeNode()).isTrue();
  }

  private Path bestEffort() {
    return layout.classDirectory(layout.memory(), ContainerClass.BEST_EFFORT);
  }

  private Path file(CgroupFile file) {
    return file.path(bestEffort(), layout.version());
  }

  private MovingLimit limit() {
    return new MovingLimit(
        bestEffort(),
        layout.version(),
        Optional.empty(),
        Optional.empty(),
        new Helper(List.of("/none"), Duration.ofSeconds(1)),
        mover);
  }

  @Test
  void theLimitIsRaised() throws IOException {
    MovingLimit limit = limit();
    limit.apply(
        new Action.SetLimit(
            Limit.MEMORY_USE,
            400 * MB,
            Optional.empty(),
            Change.KEEP,
            true,
            new Basis("production", Map.of(), 200 * MB, "give", "it is free")));
    assertThat(limit.bytes()).hasValue(200 * MB);
  }

  @Test
  void theLimitIsRemoved() throws IOException {
    MovingLimit limit = limit();
    limit.undo();
    assertThat(limit.bytes()).isEmpty();
  }
}
