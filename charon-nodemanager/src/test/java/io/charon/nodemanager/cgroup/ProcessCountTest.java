/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessCountTest {
  @TempDir private Path cgroup;
  private ProcessCount count;

  @BeforeEach
  void setUp() throws IOException {
    count = new ProcessCount(cgroup, CgroupVersion.V2);
    Files.writeString(cgroup.resolve("pids.current"), "17\n");
    Files.writeString(cgroup.resolve("pids.max"), "max\n");
  }

  @Test
  void aLimitIsSetAndRemoved() throws IOException {
    assertThat(count.current()).isEqualTo(17);
    assertThat(count.limit()).isEmpty();
    assertThat(count.unavailable()).isEmpty();

    assertThat(count.limit(500)).isEqualTo("pids.max=500");
    assertThat(count.limit()).hasValue(500);

    count.unlimit();
    assertThat(Files.readString(cgroup.resolve("pids.max"))).isEqualTo("max");
  }

  @Test
  void theRootCgroupHasNoLimitAndCannotHaveOne() throws IOException {
    Files.delete(cgroup.resolve("pids.max"));

    assertThat(count.limit()).isEmpty();
    assertThat(count.unavailable().orElseThrow())
        .startsWith(cgroup.resolve("pids.max") + " does not exist or cannot be written")
        .contains("mount the pids controller");
    assertThatThrownBy(() -> count.limit(500))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("cannot write 500 into " + cgroup.resolve("pids.max"));
    count.unlimit();
    assertThat(cgroup.resolve("pids.max")).doesNotExist();
  }

  @Test
  void whatIsNoNumberIsNamed() throws IOException {
    Files.writeString(cgroup.resolve("pids.current"), "many\n");
    Files.writeString(cgroup.resolve("pids.max"), "few\n");

    assertThatThrownBy(count::current)
        .hasMessage(cgroup.resolve("pids.current") + " holds 'many', which is not a number");
    assertThatThrownBy(count::unlimit)
        .hasMessageStartingWith("the limit of processes may still be in force: ")
        .hasMessageEndingWith("; to remove it: echo max > " + cgroup.resolve("pids.max"));
  }
}
