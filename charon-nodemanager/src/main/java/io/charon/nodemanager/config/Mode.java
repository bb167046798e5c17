/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

/**
 * Who decides when best-effort containers start; values of {@code yarn.nodemanager.charon.mode}.
 */
public enum Mode {
  /** Physical memory, by memory snapshot and delayed launch. */
  CHARON,
  /** The paper's baseline: available memory above a threshold, one request at a time. */
  KUBER,
  /** Stock YARN, by reservation; Charon says what it would have done. */
  OBSERVE,
  /** Stock YARN, by reservation. */
  OFF;

  /** Whether Charon decides, and not stock YARN. */
  public boolean decides() {
    return this == CHARON || this == KUBER;
  }
}
