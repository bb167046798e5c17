/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.freeze;

/**
 * An action on one container.
 *
 * @param kind the action
 * @param containerId the container
 * @param bytes the amount of memory to reclaim; 0 for all other actions
 * @param reason the measured value and the threshold
 */
public record FreezeDecision(Kind kind, String containerId, long bytes, String reason) {
  /** The kinds of action. */
  public enum Kind {
    /** Stop its processes, so that they use no more CPU and allocate no more memory. */
    FREEZE,
    /** Move its memory to swap and back to its files. */
    RECLAIM,
    /** Let it continue. */
    THAW,
    /** Kill it, because it was frozen for too long. */
    KILL
  }
}
