/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.killer.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.charon.core.kill.VictimChoice;
import io.charon.killer.client.KernelKiller.ContainerSample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Parses the helper's answers ({@code ua_print.c}, {@code ua_request.c}). */
final class HelperAnswers {
  private static final int HIGHEST_SCORE = 1000;
  private static final long MAX_ENTITLED = 1L << 53;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double NANOS_PER_MILLI = 1e6;

  private HelperAnswers() {}

  /**
   * A domain of the kernel killer.
   *
   * @param settings the settings in force
   * @param killableRoots ids of the cgroups below which containers may be killed
   */
  record Domain(DomainSettings settings, Set<Long> killableRoots) {}

  /**
   * The state of the loaded killer.
   *
   * @param loadedNanos when it was loaded, which identifies it
   * @param helperRuns whether the helper does its work, in addition to answering
   * @param attachedPrograms the number of its programs that the kernel runs
   * @param truncatedWalks passes since it was loaded that found more cgroups than they may visit
   * @param missedEntries containers and limits that passes since it was loaded could not observe,
   *     because a table was full
   * @param domains by the cgroup id of their roots
   */
  record LoadedKiller(
      long loadedNanos,
      KernelTier tier,
      String reason,
      boolean helperRuns,
      int attachedPrograms,
      long truncatedWalks,
      long missedEntries,
      Map<Long, Domain> domains) {}

  static LoadedKiller loadedKiller(JsonNode answer) throws KernelKillerException {
    Map<Long, Domain> domains = new HashMap<>();
    for (JsonNode domain : answer.path("domains")) {
      Set<Long> roots = new HashSet<>();
      domain.path("killableBelow").forEach(root -> roots.add(root.asLong()));
      domains.put(
          domain.path("id").asLong(),
          new Domain(
              new DomainSettings(
                  Duration.ofMillis(domain.path("cgthTimeMillis").asLong()),
                  choice(VictimChoice.Policy.class, domain.path("policy")),
                  Duration.ofMillis(domain.path("owedTimeMillis").asLong())),
              Set.copyOf(roots)));
    }
    return new LoadedKiller(
        answer.path("loadedNanos").asLong(),
        KernelTier.of(answer.path("tier").asInt()),
        answer.path("reason").asText(),
        answer.path("helperRuns").asBoolean(),
        answer.path("attachedPrograms").asInt(),
        answer.path("walksTruncated").asLong(),
        answer.path("tableFull").asLong(),
        Map.copyOf(domains));
  }

  static Map<Long, ContainerRegistration> registrations(JsonNode answer) {
    Map<Long, ContainerRegistration> registrations = new HashMap<>();
    for (JsonNode registration : answer.path("registrations")) {
      registrations.put(
          registration.path("id").asLong(),
          new ContainerRegistration(
              registration.path("startNanos").asLong(),
              // Root may write any value by hand; the kernel ignores values out of range.
              Math.max(0, Math.min(registration.path("score").asInt(), HIGHEST_SCORE)),
              entitled(registration)));
    }
    return registrations;
  }

  private static long entitled(JsonNode registration) {
    return registration.path("score").asInt() > 0
        ? 0
        : Math.max(0, Math.min(registration.path("entitledBytes").asLong(), MAX_ENTITLED));
  }

  static List<ContainerSample> samples(JsonNode answer) {
    List<ContainerSample> samples = new ArrayList<>();
    for (JsonNode sample : answer.path("samples")) {
      samples.add(
          new ContainerSample(
              sample.path("monotonicNanos").asLong(),
              sample.path("anonymousRefaults").asLong(),
              sample.path("fileRefaults").asLong(),
              sample.path("memoryBytes").asLong(),
              sample.path("counted").asBoolean()));
    }
    return samples;
  }

  static List<KernelDecision> decisions(JsonNode answer) throws KernelKillerException {
    List<KernelDecision> decisions = new ArrayList<>();
    for (JsonNode decision : answer.path("decisions")) {
      decisions.add(decision(decision));
    }
    return decisions;
  }

  private static KernelDecision decision(JsonNode decision) throws KernelKillerException {
    long decided = decision.path("monotonicNanos").asLong();
    JsonNode lastSignal = decision.path("decisionToLastSignalMillis");
    return new KernelDecision(
        decision.path("sequence").asLong(),
        decision.path("domainId").asLong(),
        decided,
        new KernelDecision.Trigger(
            decision.path("triggerId").asLong(),
            choice(KernelDecision.Series.class, decision.path("series")),
            nanos(decision.path("thrashSeconds"), NANOS_PER_SECOND),
            nanos(decision.path("cgthTimeSeconds"), NANOS_PER_SECOND)),
        new KernelDecision.Victim(
            decision.path("victimId").asLong(),
            decision.path("memoryBytes").asLong(),
            choice(VictimChoice.Policy.class, decision.path("policy")),
            ranking(decision.path("ranking"))),
        new KernelDecision.Execution(
            decision.path("signals").asInt(),
            lastSignal.isNumber()
                ? OptionalLong.of(decided + nanos(lastSignal, NANOS_PER_MILLI))
                : OptionalLong.empty(),
            release(decision, decided)));
  }

  /**
   * If a container ended before its processes could be inspected, its memory counts as released
   * when the container was gone.
   */
  private static Optional<KernelDecision.Release> release(JsonNode decision, long decided) {
    JsonNode gone = decision.path("decisionToGoneMillis");
    JsonNode freed = decision.path("decisionToFreedMillis");
    return gone.isNumber()
        ? Optional.of(
            new KernelDecision.Release(
                decided + nanos(freed.isNumber() ? freed : gone, NANOS_PER_MILLI),
                decided + nanos(gone, NANOS_PER_MILLI)))
        : Optional.empty();
  }

  private static List<KernelDecision.Candidate> ranking(JsonNode ranking) {
    List<KernelDecision.Candidate> candidates = new ArrayList<>();
    for (JsonNode candidate : ranking) {
      candidates.add(
          new KernelDecision.Candidate(
              candidate.path("id").asLong(),
              candidate.path("freesBytes").asLong(),
              Math.round(candidate.path("ageSeconds").asDouble() * 1000),
              candidate.path("score").asInt(),
              candidate.path("rank").asLong()));
    }
    return candidates;
  }

  private static long nanos(JsonNode number, double nanosPerUnit) {
    return Math.round(number.asDouble() * nanosPerUnit);
  }

  /** The helper's words are the names of the constants. */
  private static <E extends Enum<E>> E choice(Class<E> type, JsonNode word)
      throws KernelKillerException {
    try {
      return Enum.valueOf(type, word.asText().replace('-', '_').toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new KernelKillerException(
          "the helper answered '%s' where a %s is expected"
              .formatted(word.asText(), type.getSimpleName()),
          e);
    }
  }
}
