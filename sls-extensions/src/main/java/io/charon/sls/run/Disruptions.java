/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.run;

import java.util.Map;

/**
 * Containers of a run that did not run to their end where they were placed, and the work that this
 * cost.
 *
 * @param killsByCause number of killed containers by cause
 * @param moves containers that the oracle displaced for production; their tasks continued elsewhere
 * @param rejections containers that a full node rejected
 * @param handedBack containers that waited on a node for too long
 * @param lostWorkSeconds work of killed containers and failed jobs, in seconds of an undisturbed
 *     run
 */
public record Disruptions(
    Map<String, Integer> killsByCause,
    int moves,
    int rejections,
    int handedBack,
    double lostWorkSeconds) {
  /** Returns the number of containers killed for memory. */
  public int kills() {
    return killsByCause.values().stream().mapToInt(Integer::intValue).sum();
  }
}
