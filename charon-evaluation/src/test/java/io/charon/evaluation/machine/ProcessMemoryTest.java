/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessMemoryTest {
  @TempDir Path proc;

  @Test
  void addsUpTheProcessesThatNameTheDirectory() throws IOException {
    process(10, "java\0-Dlog=/srv/node1/containers/logs\0", 100, 5);
    process(11, "bash\0/srv/node1/containers/local/x.sh\0", 20, 0);
    process(12, "java\0-Dlog=/srv/node2/containers/logs\0", 4000, 0);
    process(13, "java\0-cp\0/srv/node1/conf\0", 300, 0);

    assertThat(ProcessMemory.ofContainers(proc, Path.of("/srv/node1/containers")))
        .isEqualTo(125 * 1024);
  }

  private void process(int pid, String commandLine, int anonymousKb, int sharedKb)
      throws IOException {
    Path directory = Files.createDirectory(proc.resolve(Integer.toString(pid)));
    Files.writeString(directory.resolve("cmdline"), commandLine);
    Files.writeString(
        directory.resolve("status"),
        "Name:\tx\nVmRSS:\t  99999 kB\nRssAnon:\t  "
            + anonymousKb
            + " kB\nRssFile:\t 77 kB\nRssShmem:\t "
            + sharedKb
            + " kB\n");
  }
}
