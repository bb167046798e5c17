/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.node;

import io.charon.core.kill.ThrashDetector;
import io.charon.core.kill.VictimChoice;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The UA killer (Charon paper, section 3.1), with the detector and the victim choice of the kernel
 * killer: if any container thrashes for the tolerance, one best-effort container is killed and the
 * samples of all containers are cleared.
 */
public final class ThrashKiller implements Killer {
  /** Cause of the kills. */
  public static final String CAUSE = "thrash";

  // Defaults of the kernel killer: period-ms, flat-ms, min-pages (docs/kernel-ua-killer.md).
  private static final long PERIOD_NANOS = Duration.ofMillis(100).toNanos();
  private static final Duration FLAT = Duration.ofSeconds(1);
  private static final long MIN_PAGES = 10;
  private static final int BEST_EFFORT_SCORE = 1000;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private record Detectors(ThrashDetector anonymous, ThrashDetector file) {}

  private final Duration tolerance;
  private final KillDelay delay;
  private final RandomGenerator random;
  private final VictimChoice choice = new VictimChoice(VictimChoice.Policy.MEMORY_PER_TIME);
  private final Map<Long, Detectors> detectors = new HashMap<>();
  private long sampledNanos = Long.MIN_VALUE;

  /**
   * Creates the killer of a node.
   *
   * @param tolerance the paper's cgth_time
   * @param delay time from the decision until the memory is free
   * @param random draws the delays
   */
  public ThrashKiller(Duration tolerance, KillDelay delay, RandomGenerator random) {
    this.tolerance = tolerance;
    this.delay = delay;
    this.random = random;
  }

  @Override
  public Optional<Kill> decide(NodeState node, long nowNanos) {
    if (!node.isUnderPressure()) {
      detectors.clear();
      return Optional.empty();
    }
    if (sampledNanos == nowNanos) {
      return Optional.empty();
    }
    sampledNanos = nowNanos;
    boolean thrash = false;
    boolean anonymousThrash = false;
    for (NodeContainer container : node.containers()) {
      Detectors own = detectors.computeIfAbsent(container.number(), number -> create());
      boolean anonymous = own.anonymous().observe(nowNanos, container.anonymousRefaults(), true);
      boolean file = own.file().observe(nowNanos, container.fileRefaults(), true);
      thrash |= anonymous || file;
      anonymousThrash |= anonymous;
    }
    // No further container is killed while a victim releases its memory; all samples were cleared
    // at the kill.
    return thrash && !node.isDying() ? kill(node, nowNanos, !anonymousThrash) : Optional.empty();
  }

  @Override
  public long recheckNanos(NodeState node) {
    return node.isUnderPressure() ? PERIOD_NANOS : Long.MAX_VALUE;
  }

  private Detectors create() {
    return new Detectors(
        new ThrashDetector(tolerance, FLAT, MIN_PAGES),
        new ThrashDetector(tolerance, FLAT, MIN_PAGES));
  }

  private Optional<Kill> kill(NodeState node, long nowNanos, boolean fileThrash) {
    List<VictimChoice.Candidate> candidates =
        node.containers().stream()
            .filter(container -> container.isBestEffort() && !container.isDying())
            .map(
                container ->
                    new VictimChoice.Candidate(
                        container.number(),
                        VictimChoice.freesBytes(
                            container.anonymousBytes(),
                            container.chargedBytes() - container.anonymousBytes(),
                            refills(container),
                            fileThrash),
                        (nowNanos - container.startedNanos()) / NANOS_PER_MILLI,
                        BEST_EFFORT_SCORE))
            .toList();
    Optional<VictimChoice.Candidate> victim = choice.choose(candidates);
    if (victim.isPresent()) {
      detectors.values().forEach(own -> clear(own));
    }
    return victim.map(
        chosen ->
            new Kill(
                node.containers().stream()
                    .filter(container -> container.number() == chosen.number())
                    .findFirst()
                    .orElseThrow(),
                CAUSE,
                delay.drawNanos(random, chosen.freesBytes())));
  }

  private boolean refills(NodeContainer container) {
    Detectors own = detectors.get(container.number());
    return own != null && own.file().streakNanos().isPresent();
  }

  private static void clear(Detectors own) {
    own.anonymous().clear();
    own.file().clear();
  }
}
