/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

import io.charon.killer.client.KernelKiller;
import io.charon.killer.client.KernelKillerException;
import java.util.Optional;

/** Checks which tier of the kernel UA killer is loaded, or would be. */
final class KernelKillerCheck implements Check {
  private static final String NAME = "kernel killer";
  private static final String LOAD =
      "as root: ua-killer load --group GROUP-OF-THE-NODEMANAGER,"
          + " ua-killer domain add CGROUP --killable-below CGROUP, and ua-killer reap --socket PATH as a service"
          + " (docs/kernel-ua-killer.md)";

  private static final String ADD_DOMAIN =
      "as root: ua-killer domain add CGROUP --killable-below CGROUP-OF-BEST-EFFORT";

  /** Opens the loaded killer. */
  @FunctionalInterface
  interface Opener {
    KernelKiller open() throws KernelKillerException;
  }

  private final Opener opener;
  private final SelfTest selfTest;

  KernelKillerCheck(Opener opener, SelfTest selfTest) {
    this.opener = opener;
    this.selfTest = selfTest;
  }

  @Override
  public CheckResult run() {
    try (KernelKiller killer = opener.open()) {
      return loaded(killer);
    } catch (KernelKillerException e) {
      if (e.refused()) {
        return CheckResult.degraded(
            NAME,
            "a helper runs but does not answer this process: " + e.getMessage(),
            "run charon doctor as root; charon status shows whether the helper answers "
                + "the NodeManager");
      }
      Optional<String> answer = selfTest.answer();
      return answer.isPresent()
          ? CheckResult.degraded(
              NAME,
              "not in use: %s; this machine would give %s".formatted(e.getMessage(), answer.get()),
              LOAD)
          : CheckResult.degraded(
              NAME,
              "not in use: %s; the user-space killer protects the node".formatted(e.getMessage()),
              "as root, to see what this kernel allows: ua-killer self-test; then " + LOAD);
    }
  }

  private static CheckResult loaded(KernelKiller killer) throws KernelKillerException {
    String tier =
        "tier %d loaded, %s: %s"
            .formatted(killer.tier().number(), killer.tier().description(), killer.reason());
    if (killer.domains().isEmpty()) {
      return CheckResult.degraded(
          NAME, tier + "; there is no domain, so no container is watched", ADD_DOMAIN);
    }
    if (!hasKillableRoot(killer)) {
      return CheckResult.degraded(NAME, tier + "; no container may be killed", ADD_DOMAIN);
    }
    if (!killer.helperRuns()) {
      String effect =
          killer.tier().needsHelper()
              ? "no container would be killed"
              : "memory is released later after a kill";
      return CheckResult.degraded(
          NAME, "%s; no helper runs: %s".formatted(tier, effect), "as root: ua-killer reap");
    }
    return CheckResult.ok(NAME, tier + "; its helper runs");
  }

  private static boolean hasKillableRoot(KernelKiller killer) throws KernelKillerException {
    for (long domain : killer.domains()) {
      if (!killer.killableRoots(domain).isEmpty()) {
        return true;
      }
    }
    return false;
  }
}
