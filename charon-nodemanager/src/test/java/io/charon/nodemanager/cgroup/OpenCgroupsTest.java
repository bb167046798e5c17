/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OpenCgroupsTest {
  private final List<String> events = new ArrayList<>();
  private final OpenCgroups<Files> cgroups = new OpenCgroups<>(Files::new);

  private final class Files implements Closeable {
    private final Path cgroup;

    Files(Path cgroup) {
      this.cgroup = cgroup;
      events.add("open " + cgroup);
    }

    @Override
    public void close() {
      events.add("close " + cgroup);
    }
  }

  private Path read(String cgroup) throws IOException {
    return cgroups.read(Path.of(cgroup), files -> files.cgroup);
  }

  @Test
  void filesStayOpenUntilTheirCgroupIsGone() throws IOException {
    assertThat(read("/a")).isEqualTo(Path.of("/a"));
    read("/a");
    read("/b");
    cgroups.retain(Set.of(Path.of("/b")));
    read("/a");
    cgroups.retain(Set.of(Path.of("/a")));
    cgroups.close();
    assertThat(events)
        .containsExactly("open /a", "open /b", "close /a", "open /a", "close /b", "close /a");
  }

  @Test
  void theFilesOfTheThousandAndFirstAreClosedAtOnce() throws IOException {
    for (int i = 0; i < 1000; i++) {
      read("/c" + i);
    }
    events.clear();
    read("/more");
    read("/c7");
    assertThat(events).containsExactly("open /more", "close /more");
  }
}
