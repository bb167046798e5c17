/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.util.Objects;

/**
 * A waiting best-effort container.
 *
 * @param request the container
 * @param sinceNanos the time of its arrival, on the caller's monotonic clock
 */
public record Waiting(LaunchRequest request, long sinceNanos) {
  /** Checks that there is a container. */
  public Waiting {
    Objects.requireNonNull(request, "request");
  }
}
