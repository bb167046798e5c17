/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests with directories that hold the files of a version 1 cgroup. */
class CgroupChildrenTest {
  @TempDir private Path root;

  @BeforeEach
  void files() throws IOException {
    for (String name : new String[] {"tasks", "notify_on_release", "cgroup.procs", "cpu.shares"}) {
      Files.createFile(root.resolve(name));
    }
  }

  @Test
  void aCgroupWithoutChildrenHasOnlyFiles() throws IOException {
    assertThat(CgroupChildren.of(root)).isEmpty();
    assertThat(CgroupChildren.of(root.resolve("missing"))).isEmpty();
  }

  @Test
  void childrenAreFoundWhateverTheirNames() throws IOException {
    Files.createDirectory(root.resolve("container_1"));
    Files.createDirectory(root.resolve("postgresql.service"));
    Files.createDirectory(root.resolve("release_agent")); // possible on version 2

    assertThat(CgroupChildren.of(root))
        .extracting(child -> child.getFileName().toString())
        .containsExactlyInAnyOrder("container_1", "postgresql.service", "release_agent");
    assertThat(CgroupChildren.of(root, CgroupLayout::isContainerId))
        .extracting(child -> child.getFileName().toString())
        .containsExactlyInAnyOrder("container_1", "release_agent");
    assertThat(CgroupChildren.any(root, child -> child.endsWith("container_1"))).isTrue();
    assertThat(CgroupChildren.any(root, child -> child.endsWith("tasks"))).isFalse();
  }
}
