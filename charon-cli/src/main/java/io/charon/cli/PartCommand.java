/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import io.charon.configure.Part;
import java.time.Duration;
import picocli.CommandLine.Parameters;

/** What the commands that turn a part of a running node on and off have in common. */
abstract class PartCommand extends ConfiguringCommand {
  @Parameters(
      paramLabel = "PART",
      converter = PartConverter.class,
      description =
          "scheduler, pause, memory, memory-limit, disk-limit, cpu, cpu-burst, cpu-pool,"
              + " cache-ways, memory-bandwidth, proactive-reclaim, evict-line, evict-psi, evict-satisfaction, cores or network.")
  private Part part;

  PartCommand(Duration patience) {
    super(patience);
  }

  final Part part() {
    return part;
  }

  /** Sets the part's key to a value. */
  final int set(String value) throws InterruptedException {
    return change(
        overrides -> overrides.put(part.key(), value), "%s is %s".formatted(part.label(), value));
  }
}
