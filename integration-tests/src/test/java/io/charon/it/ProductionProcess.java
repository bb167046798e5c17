/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import static io.charon.it.TestNode.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;

/** Production that YARN does not know. It leaves 30 % of a node's memory available. */
final class ProductionProcess {
  private static final double SHARE_LEFT = 0.3;

  /** Script: it enters the cgroup, and then allocates memory and keeps it. */
  private static final String SCRIPT =
      "echo $$ > \"$1/cgroup.procs\" || exit 7; head -c $2 /dev/zero | tail -c $2 | sleep 300";

  private final Path cgroup;
  private final Process process;

  ProductionProcess(TestNode node) throws Exception {
    cgroup = node.memoryCgroup().resolve("production/foreground");
    Files.createDirectory(cgroup);
    JsonNode memory = node.status().path("node");
    long bytes =
        (long)
            (memory.path("availableBytes").asLong()
                - SHARE_LEFT * memory.path("capacityBytes").asLong());
    process =
        new ProcessBuilder("/bin/sh", "-c", SCRIPT, "sh", cgroup.toString(), "" + bytes).start();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  void end() throws Exception {
    TimedProgram.end(process);
    Path procs = cgroup.resolve("cgroup.procs");
    // A NodeManager that was started meanwhile removes it, as what an earlier one left behind.
    await("production is gone", () -> !Files.exists(procs) || Files.readAllLines(procs).isEmpty());
    Files.deleteIfExists(cgroup);
  }
}
