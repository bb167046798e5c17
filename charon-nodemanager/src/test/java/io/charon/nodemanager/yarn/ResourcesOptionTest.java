/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResourcesOptionTest {
  @Test
  void filesOfBothVersionsAreJoinedAsTheProgramReadsThem() {
    assertThat(
            ResourcesOption.of(
                List.of(
                    Path.of("/sys/fs/cgroup/memory/charon/production/c1/cgroup.procs"),
                    Path.of("/sys/fs/cgroup/cpu,cpuacct/charon/production/c1/cgroup.procs"))))
        .isEqualTo(
            "cgroups=/sys/fs/cgroup/memory/charon/production/c1/cgroup.procs"
                + "%/sys/fs/cgroup/cpu,cpuacct/charon/production/c1/cgroup.procs");
    assertThat(ResourcesOption.of(List.of(Path.of("/sys/fs/cgroup/charon/c1/cgroup.procs"))))
        .isEqualTo("cgroups=/sys/fs/cgroup/charon/c1/cgroup.procs");
  }

  @Test
  void withoutFilesItSaysSo() {
    assertThat(ResourcesOption.of(List.of())).isEqualTo("cgroups=none");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a%b/cgroup.procs", "/a=b/cgroup.procs", "/a b/cgroup.procs", "a/b"})
  void whatTheProgramWouldReadDifferentlyIsRefused(String file) {
    List<Path> files = List.of(Path.of(file));
    assertThatThrownBy(() -> ResourcesOption.of(files))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(file)
        .hasMessageContaining("yarn.nodemanager.charon.cgroup.path");
  }
}
