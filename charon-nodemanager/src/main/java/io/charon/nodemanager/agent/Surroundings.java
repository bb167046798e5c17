/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.agent;

import io.charon.web.http.WebAccess;
import java.nio.file.Path;
import java.time.Clock;
import java.util.function.LongSupplier;

/**
 * The machine, the clocks and the network that a node uses.
 *
 * @param procRoot the mount point of proc, whose mount table tells where cgroups are mounted
 * @param sysRoot the mount point of sysfs
 * @param clock wall clock for displayed times
 * @param nanoClock monotonic nanoseconds
 * @param web access to the web servers of ResourceManagers
 */
public record Surroundings(
    Path procRoot, Path sysRoot, Clock clock, LongSupplier nanoClock, WebAccess web) {
  /** Returns the surroundings on this machine, without a network configuration. */
  public static Surroundings ofThisMachine(Path procRoot) {
    return new Surroundings(
        procRoot, Path.of("/sys"), Clock.systemUTC(), System::nanoTime, WebAccess.unconfigured());
  }

  /** Returns the same surroundings with another sysfs. */
  public Surroundings with(Path otherSysRoot) {
    return new Surroundings(procRoot, otherSysRoot, clock, nanoClock, web);
  }

  /** Returns the same surroundings with another network access. */
  public Surroundings with(WebAccess otherWeb) {
    return new Surroundings(procRoot, sysRoot, clock, nanoClock, otherWeb);
  }
}
