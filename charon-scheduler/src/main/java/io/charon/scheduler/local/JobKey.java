/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.local;

import java.util.Objects;

/**
 * What the containers of a recurring job have in common, so that measured peaks of earlier ones
 * predict the next (Charon paper, section 4.2: history of recurring jobs).
 *
 * @param value opaque text, compared literally; who builds it decides what recurs
 */
public record JobKey(String value) {
  /** Checks that there is a value. */
  public JobKey {
    Objects.requireNonNull(value, "value");
  }

  @Override
  public String toString() {
    return value;
  }
}
