/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

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
}
