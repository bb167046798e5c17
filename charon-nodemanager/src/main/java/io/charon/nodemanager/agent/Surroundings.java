/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.agent;

import java.nio.file.Path;
import java.time.Clock;
import java.util.function.LongSupplier;

/**
 * The machine and the time that a node sees.
 *
 * @param procRoot where proc is mounted; its mounts say where cgroups are
 * @param sysRoot where sysfs is mounted
 * @param clock for times that people read
 * @param nanoClock monotonic nanoseconds
 */
public record Surroundings(Path procRoot, Path sysRoot, Clock clock, LongSupplier nanoClock) {
  /** Those of this machine. */
  public static Surroundings ofThisMachine(Path procRoot) {
    return new Surroundings(procRoot, Path.of("/sys"), Clock.systemUTC(), System::nanoTime);
  }
}
