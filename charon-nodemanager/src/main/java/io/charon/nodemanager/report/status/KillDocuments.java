/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.status;

import io.charon.killer.client.KernelDecision;
import io.charon.killer.client.KernelTier;
import io.charon.nodemanager.config.CharonSettings;
import io.charon.nodemanager.config.Mode;
import io.charon.nodemanager.mechanisms.kill.KernelKill;
import io.charon.nodemanager.mechanisms.kill.KernelKillerAdapter;
import io.charon.nodemanager.mechanisms.kill.KillLog;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** Converts kills to their form in the status document. */
final class KillDocuments {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double MILLIS_PER_SECOND = 1e3;

  private KillDocuments() {}

  /**
   * Describes the killer in charge.
   *
   * @param kernel the kernel killer; empty if it is not used
   * @param userSpace whether the user-space killer would kill in its absence
   * @param now the settings in force
   */
  static StatusDocument.Killer killer(
      Optional<KernelKillerAdapter.State> kernel, boolean userSpace, CharonSettings now) {
    String fallback = userSpace ? "user-space" : "nobody";
    return kernel
        .map(
            state ->
                new StatusDocument.Killer(
                    state.inCharge() ? "kernel" : fallback,
                    state.tier().map(KernelTier::number).orElse(null),
                    state.reason(),
                    state.domain().orElse(null)))
        .orElseGet(() -> new StatusDocument.Killer(fallback, null, absence(now), null));
  }

  private static String absence(CharonSettings now) {
    boolean wanted = now.killers().kernel().isPresent();
    if (wanted && now.mode() != Mode.ENFORCE) {
      return "the kernel killer is used in mode enforce only";
    }
    return wanted || now.placement().cgroupPath().isEmpty()
        ? "the kernel killer needs cgroups, and containers have none"
        : "no kernel killer is configured on this node";
  }

  static KillDocument kill(KillLog.Kill kill) {
    return new KillDocument(
        kill.time().toString(),
        kill.containerId(),
        lower(kill.by()),
        kill.reason(),
        kill.kernel().map(KillDocuments::thrash).orElse(null));
  }

  private static KillDocument.Thrash thrash(KernelKill kill) {
    KernelDecision decision = kill.decision();
    return new KillDocument.Thrash(
        new KillDocument.Trigger(
            kill.name(decision.trigger().container()),
            lower(decision.trigger().series()),
            decision.trigger().nanos() / NANOS_PER_SECOND,
            decision.trigger().toleranceNanos() / NANOS_PER_SECOND),
        lower(decision.victim().policy()),
        decision.victim().memoryBytes(),
        new KillDocument.Execution(
            decision.execution().signals(),
            millis(kill.nanosToLastSignal()),
            millis(kill.nanosToFreed()),
            millis(kill.nanosToGone())),
        decision.victim().ranking().stream()
            .map(
                candidate ->
                    new KillDocument.Candidate(
                        kill.name(candidate.container()),
                        candidate.freesBytes(),
                        candidate.ageMillis() / MILLIS_PER_SECOND,
                        candidate.score(),
                        candidate.rank()))
            .toList(),
        kill.samples().stream()
            .map(
                sample ->
                    new KillDocument.Sample(
                        (sample.nanos() - decision.decisionNanos()) / NANOS_PER_SECOND,
                        sample.anonymousRefaults(),
                        sample.fileRefaults(),
                        sample.memoryBytes(),
                        sample.counted()))
            .toList());
  }

  private static Double millis(OptionalLong nanos) {
    return nanos.isPresent() ? nanos.getAsLong() / NANOS_PER_MILLI : null;
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
