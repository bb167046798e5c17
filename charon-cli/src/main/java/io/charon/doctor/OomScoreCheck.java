/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

import java.io.IOException;
import java.util.Optional;

/**
 * Checks whether {@code oom_score_adj} may be raised (best-effort containers get 1000) and lowered
 * (production and ApplicationMasters get down to -999; after table 2 of the paper).
 */
final class OomScoreCheck implements Check {
  private static final String NAME = "oom_score_adj";

  /** The lowest value that a container gets by default. */
  private static final int LOWEST = -999;

  private static final String LOWER_CURE =
      "give the NodeManager CAP_SYS_RESOURCE: AmbientCapabilities=CAP_SYS_RESOURCE in its systemd unit,"
          + " --cap-add SYS_RESOURCE in a container";

  private final ProbeProcess.Starter starter;

  OomScoreCheck(ProbeProcess.Starter starter) {
    this.starter = starter;
  }

  @Override
  public CheckResult run() {
    try (ProbeProcess probe = starter.start()) {
      Optional<String> lower = refusal(probe, LOWEST);
      Optional<String> raise = refusal(probe, 1000);
      if (raise.isPresent()) {
        return CheckResult.missing(
            NAME,
            "cannot be raised to 1000 ("
                + raise.get()
                + "): the kernel would not prefer best-effort victims",
            "make /proc writable for the NodeManager's user");
      }
      if (lower.isPresent()) {
        return CheckResult.degraded(
            NAME,
            "can be raised to 1000, not lowered to "
                + LOWEST
                + " ("
                + lower.get()
                + "): production containers stay at 0; best-effort ones, at 1000, are still preferred as victims",
            LOWER_CURE);
      }
      return CheckResult.ok(NAME, "can be raised to 1000 and lowered to " + LOWEST);
    } catch (IOException e) {
      return CheckResult.missing(
          NAME,
          "cannot start a sleep process for the test: " + Reasons.of(e),
          "apt-get install -y coreutils");
    }
  }

  private static Optional<String> refusal(ProbeProcess probe, int score) {
    try {
      probe.writeOomScoreAdj(score);
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(Reasons.of(e));
    }
  }
}
