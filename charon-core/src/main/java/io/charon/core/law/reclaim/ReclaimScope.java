/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.reclaim;

/** The memory that may be reclaimed from production's containers. */
public enum ReclaimScope {
  /** Nothing. */
  NONE,
  /** Pages of files. */
  FILES,
  /** Pages of files, and anonymous memory if there is swap. */
  ALL
}
