/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.policy;

import java.util.Map;
import java.util.Optional;

/**
 * Names of policies in experiment files of earlier versions, which are refused with the new ones.
 */
final class RenamedPolicies {
  private static final Map<String, Policy> BY_FORMER_KEY =
      Map.of(
          "mercury", Policy.STOCK_YARN,
          "kuber", Policy.THRESHOLD,
          "charon-names", Policy.CHARON_PEAKS,
          "charon-growth-fair", Policy.CHARON_NO_LIMIT);

  private RenamedPolicies() {}

  /** Returns the policy that had a name; empty if none had. */
  static Optional<Policy> now(String formerKey) {
    return Optional.ofNullable(BY_FORMER_KEY.get(formerKey));
  }
}
