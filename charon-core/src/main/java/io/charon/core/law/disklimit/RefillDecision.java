/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.disklimit;

import java.util.List;

/**
 * Whether best-effort's reads are limited from now on.
 *
 * @param cause why, or why not
 * @param refilling names of those for whom
 * @param missingBytes what they miss together
 */
public record RefillDecision(RefillCause cause, List<String> refilling, long missingBytes) {
  /** Copies the list. */
  public RefillDecision {
    refilling = List.copyOf(refilling);
  }

  static RefillDecision free(RefillCause cause) {
    return new RefillDecision(cause, List.of(), 0);
  }
}
