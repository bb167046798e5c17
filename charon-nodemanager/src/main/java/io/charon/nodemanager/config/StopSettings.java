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
 * Settings for learning of a stop of the cluster.
 *
 * @param resourceManagers web servers of all ResourceManagers, at least one
 * @param period period at which each of them is asked
 * @param memory file that preserves the last answer across a restart; empty where no container
 *     survives a restart
 */
public record StopSettings(List<URI> resourceManagers, Duration period, Optional<Path> memory) {
  /** Copies the list and checks that no component is null. */
  public StopSettings {
    resourceManagers = List.copyOf(resourceManagers);
    Objects.requireNonNull(period, "period");
    Objects.requireNonNull(memory, "memory");
  }
}
