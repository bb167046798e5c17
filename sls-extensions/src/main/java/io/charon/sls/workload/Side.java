/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.workload;

/** The two sides of a workload. */
public enum Side {
  /** GUARANTEED containers: they start at once and are never killed for memory. */
  PRODUCTION,
  /** OPPORTUNISTIC containers, which use the resources that production leaves. */
  BEST_EFFORT
}
