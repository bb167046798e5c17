/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.killer.client;

import com.sun.jna.Native;
import io.charon.core.kill.VictimChoice;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The layout of the maps, {@code ua_killer.h} in Java. Offsets are bytes from the start of the
 * structure; {@link #VERSION} changes with any of them.
 */
final class KillerMaps {
  /** {@code UA_MAP_VERSION}. */
  static final int VERSION = 3;

  /** Entries of the maps {@code decisions} and {@code releases}. */
  static final int DECISIONS = 64;

  static final int CONTROL_BYTES = 216;
  static final int HELPER_BYTES = 16;
  static final int DOMAIN_BYTES = 8;
  static final int SETTINGS_BYTES = 24;
  static final int CONTAINER_BYTES = 24;
  static final int KILLABLE_BYTES = 1024;
  static final int STATE_BYTES = 2800;
  static final int DECISION_BYTES = 744;
  static final int RELEASE_BYTES = 56;

  private static final int REASON = 24;
  private static final int KILLABLE = 1;
  private static final int RANKING = 104;
  private static final int CANDIDATE_BYTES = 40;
  private static final int MOST_CANDIDATES = 16;
  private static final int SAMPLES_TAKEN = 152;
  private static final int SAMPLES = 240;
  private static final int SAMPLE_BYTES = 40;
  private static final int MOST_SAMPLES = 64;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private KillerMaps() {}

  static int version(ByteBuffer control) {
    return control.getInt(0);
  }

  static KernelTier tier(ByteBuffer control) throws KernelKillerException {
    return KernelTier.of(control.getInt(4));
  }

  static long loadedNanos(ByteBuffer control) {
    return control.getLong(16);
  }

  static String reason(ByteBuffer control) {
    byte[] text = new byte[CONTROL_BYTES - REASON];
    control.get(REASON, text);
    return Native.toString(text, "UTF-8"); // ends at the first zero
  }

  static long helperAliveNanos(ByteBuffer helper) {
    return helper.getLong(0);
  }

  static long domainOfKillable(ByteBuffer killable) {
    return killable.getLong(0);
  }

  static Duration shortestTolerance(ByteBuffer domain) {
    return Duration.ofMillis(Integer.toUnsignedLong(domain.getInt(0)));
  }

  static Duration longestTolerance(ByteBuffer domain) {
    return Duration.ofMillis(Integer.toUnsignedLong(domain.getInt(4)));
  }

  static DomainSettings settings(ByteBuffer settings) throws KernelKillerException {
    return new DomainSettings(
        Duration.ofMillis(Integer.toUnsignedLong(settings.getInt(0))),
        choice(VictimChoice.Policy.values(), settings.getInt(12)));
  }

  /** Changes what {@link DomainSettings} holds and leaves the rest. */
  static void change(ByteBuffer settings, DomainSettings values) {
    settings.putInt(0, (int) values.thrashingTolerance().toMillis());
    settings.putInt(12, values.policy() == VictimChoice.Policy.SCORE ? 1 : 0);
  }

  static void write(ByteBuffer container, ContainerRegistration registration) {
    container.putLong(0, registration.domain());
    container.putLong(8, registration.startNanos());
    container.putInt(16, registration.score());
    container.putInt(20, registration.score() > 0 ? KILLABLE : 0);
  }

  static ContainerRegistration registration(ByteBuffer container) {
    return new ContainerRegistration(
        container.getLong(0), container.getLong(8), container.getInt(16));
  }

  /** The samples that are kept, oldest first. */
  static List<ContainerSample> samples(ByteBuffer state) {
    long taken = state.getLong(SAMPLES_TAKEN);
    List<ContainerSample> samples = new ArrayList<>();
    for (long i = Math.max(0, taken - MOST_SAMPLES); i < taken; i++) {
      int at = SAMPLES + (int) (i % MOST_SAMPLES) * SAMPLE_BYTES;
      samples.add(
          new ContainerSample(
              state.getLong(at),
              state.getLong(at + 8),
              state.getLong(at + 16),
              state.getLong(at + 24),
              state.getInt(at + 32) != 0));
    }
    return samples;
  }

  static long sequence(ByteBuffer decisionOrRelease) {
    return decisionOrRelease.getLong(0);
  }

  static KernelDecision decision(ByteBuffer decision, Optional<ByteBuffer> release)
      throws KernelKillerException {
    long lastSignalNanos = decision.getLong(48);
    return new KernelDecision(
        sequence(decision),
        decision.getLong(8),
        decision.getLong(16),
        decision.getLong(24),
        choice(KernelDecision.Series.values(), decision.getInt(72)),
        decision.getLong(56),
        Integer.toUnsignedLong(decision.getInt(76)) * NANOS_PER_MILLI,
        choice(VictimChoice.Policy.values(), decision.getInt(80)),
        decision.getLong(64),
        decision.getInt(84),
        decision.getLong(32),
        lastSignalNanos == 0 ? OptionalLong.empty() : OptionalLong.of(lastSignalNanos),
        ranking(decision),
        release
            .filter(found -> sequence(found) == sequence(decision) && found.getLong(24) != 0)
            .map(found -> new KernelDecision.Release(found.getLong(16), found.getLong(24))));
  }

  private static List<KernelDecision.Candidate> ranking(ByteBuffer decision) {
    int candidates = Math.min(decision.getInt(100), MOST_CANDIDATES);
    List<KernelDecision.Candidate> ranking = new ArrayList<>();
    for (int i = 0; i < candidates; i++) {
      int at = RANKING + i * CANDIDATE_BYTES;
      ranking.add(
          new KernelDecision.Candidate(
              decision.getLong(at),
              decision.getLong(at + 8),
              decision.getLong(at + 16),
              decision.getInt(at + 32),
              decision.getLong(at + 24)));
    }
    ranking.sort(Comparator.comparingLong(KernelDecision.Candidate::rank).reversed());
    return ranking;
  }

  private static <E extends Enum<E>> E choice(E[] choices, int number)
      throws KernelKillerException {
    if (number < 0 || number >= choices.length) {
      throw new KernelKillerException(
          "the maps hold "
              + number
              + " where a "
              + choices[0].getDeclaringClass().getSimpleName()
              + " is expected");
    }
    return choices[number];
  }
}
