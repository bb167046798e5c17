/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * How a node hears of a stop of the cluster.
 *
 * @param resourceManagers web servers of all ResourceManagers, at least one
 * @param period how often each is asked
 * @param memory file that keeps the last word over a restart; empty where no container outlives one
 */
public record StopSettings(List<URI> resourceManagers, Duration period, Optional<Path> memory) {
  /** Checks that nothing is missing. */
  public StopSettings {
    resourceManagers = List.copyOf(resourceManagers);
    Objects.requireNonNull(period, "period");
    Objects.requireNonNull(memory, "memory");
  }
}
