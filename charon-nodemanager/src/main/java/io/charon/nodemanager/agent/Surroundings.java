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
 * The machine, the time and the network that a node sees.
 *
 * @param procRoot where proc is mounted; its mounts say where cgroups are
 * @param sysRoot where sysfs is mounted
 * @param clock for times that people read
 * @param nanoClock monotonic nanoseconds
 * @param web how it asks ResourceManagers' web servers
 */
public record Surroundings(
    Path procRoot, Path sysRoot, Clock clock, LongSupplier nanoClock, WebAccess web) {
  /** Those of this machine, for a node that has no configuration of the network. */
  public static Surroundings ofThisMachine(Path procRoot) {
    return new Surroundings(
        procRoot, Path.of("/sys"), Clock.systemUTC(), System::nanoTime, WebAccess.unconfigured());
  }

  /** The same with a network. */
  public Surroundings with(WebAccess otherWeb) {
    return new Surroundings(procRoot, sysRoot, clock, nanoClock, otherWeb);
  }
}
