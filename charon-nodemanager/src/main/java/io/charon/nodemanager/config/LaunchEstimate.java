/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

/** What a running best-effort container is charged with when the next one wants to start. */
public enum LaunchEstimate {
  /** The percentile of its job's peaks, as long as it lives (Charon paper, section 4.2). */
  PEAK,
  /** What it is expected to grow yet; nothing once it has settled (ours). */
  GROWTH
}
