/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.workload;

/** Whom a job is for. */
public enum Side {
  /** GUARANTEED containers: they start at once and never die for memory. */
  PRODUCTION,
  /** OPPORTUNISTIC containers on what production leaves. */
  BEST_EFFORT
}
