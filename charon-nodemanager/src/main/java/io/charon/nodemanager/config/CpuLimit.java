/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

/** The resource by which the CPU regulator limits best-effort. */
public enum CpuLimit {
  /** The CPU time that best-effort may use. */
  QUOTA,
  /** The ways of the last-level cache that best-effort may fill (Intel CAT, through resctrl). */
  CACHE_WAYS
}
