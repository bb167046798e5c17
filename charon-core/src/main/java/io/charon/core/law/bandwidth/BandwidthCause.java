/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.bandwidth;

/** The rule of {@link BandwidthLaw} that determined best-effort's share. */
public enum BandwidthCause {
  /** The memory bandwidth is not exhausted. */
  ROOM("little memory bandwidth is in use"),
  /** The memory is busy, and best-effort contributes to that. */
  BUSY("much memory bandwidth is in use"),
  /** The memory is busy, but hardly because of best-effort. */
  OTHERS("much memory bandwidth is in use, but hardly any by best-effort"),
  /** The highest bandwidth is not known yet. */
  LEARNING("the highest bandwidth is not known yet"),
  /** Nothing was read: the current share stays. */
  UNSEEN("the bandwidth cannot be read"),
  /** The operator set the share. */
  FIXED("a fixed share");

  private final String text;

  BandwidthCause(String text) {
    this.text = text;
  }

  /** Returns the rule in readable text. */
  public String text() {
    return text;
  }
}
