/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.experiment;

import io.charon.sls.policy.Policy;
import java.util.List;

/**
 * The runs of an experiment: every policy at every load with every seed.
 *
 * @param policies at least one, without duplicates
 * @param loads number of submissions of each best-effort job; at least one load, without duplicates
 * @param seeds number of seeds; seeds 1 to this number are run
 */
public record RunGrid(List<Policy> policies, List<Integer> loads, int seeds) {
  /** Copies the lists. */
  public RunGrid {
    policies = List.copyOf(policies);
    loads = List.copyOf(loads);
  }
}
