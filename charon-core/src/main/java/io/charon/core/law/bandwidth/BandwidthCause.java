/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.bandwidth;

/** Which rule of {@link BandwidthLaw} said what best-effort may use. */
public enum BandwidthCause {
  /** The memory has room. */
  ROOM("the memory has room"),
  /** The memory is busy, and best-effort is among those who make it so. */
  BUSY("the memory is busy"),
  /** The memory is busy, and not by best-effort. */
  OTHERS("the memory is busy with others' work"),
  /** Nobody knows yet what there is. */
  LEARNING("the highest bandwidth is not known yet"),
  /** Nothing was read: what held goes on. */
  UNSEEN("the bandwidth cannot be read"),
  /** The operator gave it. */
  FIXED("a fixed share");

  private final String text;

  BandwidthCause(String text) {
    this.text = text;
  }

  /** For people. */
  public String text() {
    return text;
  }
}
