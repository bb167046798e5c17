/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

/**
 * The memory that a running best-effort container is charged with when the next one wants to start.
 */
public enum LaunchEstimate {
  /** The percentile of its job's peaks during its whole life (Charon paper, section 4.2). */
  PEAK,
  /**
   * Its expected further growth; once its memory is stable, no growth but an uncertainty of a tenth
   * of its use (our choice).
   */
  GROWTH
}
