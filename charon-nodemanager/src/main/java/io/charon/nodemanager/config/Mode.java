/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import io.charon.core.law.RegulatorMode;

/** What Charon does on a node; values of {@code yarn.nodemanager.charon.mode}. */
public enum Mode {
  /** Nothing: stock YARN, by reservation. */
  OFF,
  /** Nothing, either; but it says what it would have done. */
  OBSERVE,
  /** Physical memory decides, by memory snapshot and delayed launch; everything else acts, too. */
  ENFORCE,
  /** The paper's baseline: available memory above a threshold, one request at a time. */
  KUBER;

  /** Whether Charon decides about launches and places containers, and not stock YARN. */
  public boolean acts() {
    return this == ENFORCE || this == KUBER;
  }

  /**
   * What a mechanism may do on such a node: the baselines run without it, and it never does more
   * than the node.
   *
   * @param wanted what the operator wants of the mechanism
   */
  RegulatorMode lower(RegulatorMode wanted) {
    RegulatorMode most =
        switch (this) {
          case OFF, KUBER -> RegulatorMode.OFF;
          case OBSERVE -> RegulatorMode.OBSERVE;
          case ENFORCE -> RegulatorMode.ENFORCE;
        };
    return wanted.compareTo(most) < 0 ? wanted : most;
  }
}
