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
 * Settings for sharing measured peaks with other nodes.
 *
 * @param resourceManagers web servers of all ResourceManagers, at least one
 * @param period period of the exchange
 */
public record SharingSettings(List<URI> resourceManagers, Duration period) {
  /** Copies the list and checks that no component is null. */
  public SharingSettings {
    resourceManagers = List.copyOf(resourceManagers);
    Objects.requireNonNull(period, "period");
  }
}
