/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.disklimit;

import java.util.List;

/**
 * The decision whether best-effort's reads are limited from now on.
 *
 * @param cause why they are limited or not
 * @param refilling names of the holders for which they are limited
 * @param missingBytes the part of these holders' entitlement that they do not hold yet
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
