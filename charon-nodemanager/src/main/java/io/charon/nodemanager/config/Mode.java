/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import io.charon.core.law.RegulatorMode;

/** What Charon does on a node; values of {@code yarn.nodemanager.charon.mode}. */
public enum Mode {
  /** Nothing: stock YARN, which decides by reservation. */
  OFF,
  /** Nothing, but Charon reports what it would have done. */
  OBSERVE,
  /**
   * Launches are decided by physical memory, with memory snapshot and delayed launch; everything
   * else acts as well.
   */
  ENFORCE,
  /** The paper's baseline: one launch at a time while available memory is above a threshold. */
  THRESHOLD;

  /**
   * Returns whether Charon, instead of stock YARN, decides about launches and places containers.
   */
  public boolean acts() {
    return this == ENFORCE || this == THRESHOLD;
  }

  /**
   * Returns what a mechanism may do on a node in this mode: never more than the node, and nothing
   * in the baselines.
   *
   * @param wanted the operator's mode of the mechanism
   */
  RegulatorMode lower(RegulatorMode wanted) {
    RegulatorMode most =
        switch (this) {
          case OFF, THRESHOLD -> RegulatorMode.OFF;
          case OBSERVE -> RegulatorMode.OBSERVE;
          case ENFORCE -> RegulatorMode.ENFORCE;
        };
    return wanted.compareTo(most) < 0 ? wanted : most;
  }

  /**
   * Returns what a regulator of memory, CPU time, cores or network may do on a node in this mode.
   * Unlike other mechanisms it may also act beside the baseline {@link #THRESHOLD}: it limits
   * best-effort by production's use, whichever rule launches containers, and is off unless the
   * operator turns it on.
   *
   * @param wanted the operator's mode of the regulator
   */
  RegulatorMode lowerOfRegulator(RegulatorMode wanted) {
    return this == THRESHOLD ? wanted : lower(wanted);
  }
}
