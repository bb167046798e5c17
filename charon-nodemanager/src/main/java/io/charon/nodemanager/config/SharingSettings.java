/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * How a node shares measured peaks with others.
 *
 * @param resourceManagers web servers of all ResourceManagers, at least one
 * @param period how often
 */
public record SharingSettings(List<URI> resourceManagers, Duration period) {
  /** Checks that nothing is missing. */
  public SharingSettings {
    resourceManagers = List.copyOf(resourceManagers);
    Objects.requireNonNull(period, "period");
  }
}
