/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import io.charon.core.law.RegulatorMode;
import io.charon.core.law.reclaim.ProactiveReclaim;
import io.charon.core.law.reclaim.ReclaimSettings;
import io.charon.core.law.reclaim.ReclaimableContainers;
import io.charon.core.mechanism.LastKill;
import io.charon.core.mechanism.Snapshot;
import io.charon.evaluation.machine.NativeTools;
import io.charon.evaluation.machine.StandaloneMechanism;
import io.charon.nodemanager.config.ProactiveReclaimSettings;
import io.charon.nodemanager.execution.SingleMechanism;
import io.charon.nodemanager.helper.Helper;
import io.charon.nodemanager.mechanisms.reclaim.ReclaimParts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The part of a NodeManager that reclaims cold memory: the same mechanism, executor and helper
 * program.
 */
final class ReclaimAgent {
  private static final Path PROC = Path.of("/proc");
  private static final Duration HELPER_TIMEOUT = Duration.ofSeconds(2);
  private static final int SAMPLES_PER_PERIOD = 4;

  private final ScheduledExecutorService ticker = Executors.newSingleThreadScheduledExecutor();
  private final SingleMechanism<ReclaimableContainers> parts;
  private final StandaloneMechanism agent;
  private volatile Optional<RuntimeException> failure = Optional.empty();

  /** Starts the agent. */
  ReclaimAgent(InterferenceNode node, NativeTools tools, ReclaimSettings law) {
    parts =
        ReclaimParts.of(
            new ProactiveReclaimSettings(RegulatorMode.ENFORCE, law, Optional.empty()),
            law.period().dividedBy(SAMPLES_PER_PERIOD),
            Optional.of(node.layout()),
            true,
            PROC,
            new Helper(List.of(tools.killer().toString()), HELPER_TIMEOUT),
            () -> new LastKill(OptionalLong.empty()));
    agent = new StandaloneMechanism(parts);
    var unused =
        ticker.scheduleWithFixedDelay(
            this::tick, 0, law.period().toNanos() / SAMPLES_PER_PERIOD, TimeUnit.NANOSECONDS);
  }

  private void tick() {
    try {
      long nanos = System.nanoTime();
      Optional<ReclaimableContainers> seen = parts.read(nanos);
      seen.ifPresent(containers -> agent.tick(new Snapshot(nanos, containers)));
    } catch (RuntimeException e) {
      failure = Optional.of(e);
    }
  }

  /** Returns the memory reclaimed so far, MB. */
  double takenMegabytes() {
    return agent.state().report().value(ProactiveReclaim.TAKEN).orElse(0) / InterferenceNode.MB;
  }

  /** Returns the reason why reclaim does not work; empty if it works. */
  Optional<String> trouble() {
    return failure
        .map(Exception::toString)
        .or(() -> agent.state().unavailable())
        .or(
            () ->
                agent.failures() > 0
                    ? Optional.of("reclaim failed " + agent.failures() + " times")
                    : Optional.empty());
  }

  /** Ends the agent. */
  void end() throws InterruptedException {
    ticker.shutdown();
    boolean unused = ticker.awaitTermination(10, TimeUnit.SECONDS);
    agent.close();
  }
}
