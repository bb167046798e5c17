/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.freeze;

/**
 * One thing to do.
 *
 * @param kind what
 * @param containerId to whom
 * @param bytes how much memory to reclaim; 0 for everything else
 * @param reason the measured value and the threshold
 */
public record PauseDecision(Kind kind, String containerId, long bytes, String reason) {
  /** What can be done. */
  public enum Kind {
    /** Its processes get no CPU from now on, and so take no more memory. */
    FREEZE,
    /** What it has in memory goes to swap and to its files. */
    RECLAIM,
    /** It goes on. */
    RESUME,
    /** It was frozen for too long. */
    KILL
  }
}
