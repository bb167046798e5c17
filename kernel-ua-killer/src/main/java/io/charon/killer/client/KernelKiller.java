/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.killer.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.charon.core.kill.VictimChoice;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A client of the kernel killer that root has loaded, for use by a NodeManager. It uses the socket
 * of the killer's helper, which accepts root and the NodeManager ({@code
 * docs/kernel-ua-killer.md}). Containers are memory cgroups, identified by the inode numbers of
 * their directories ({@link CgroupId}).
 *
 * <p>All requests between two calls of {@link #isCurrent} together wait no longer than the given
 * timeout. After that, and once the helper has ended, every request fails at once.
 */
public final class KernelKiller implements AutoCloseable {
  /** The version of the protocol, {@code UA_PROTOCOL}. */
  private static final int PROTOCOL = 2;

  /** The helper accepts lines of up to 8191 bytes; one change takes at most 64. */
  private static final int CHANGES_PER_REQUEST = 100;

  /**
   * One sample of a container's refaults, taken while the kernel reclaimed.
   *
   * @param nanos the time, CLOCK_MONOTONIC
   * @param anonymousRefaults refaults of anonymous pages so far
   * @param fileRefaults refaults of file pages so far
   * @param memoryBytes its memory, including swap
   * @param counted whether the node, not only the container itself, was under pressure
   */
  public record ContainerSample(
      long nanos, long anonymousRefaults, long fileRefaults, long memoryBytes, boolean counted) {}

  private final HelperConnection helper;
  private HelperAnswers.LoadedKiller loaded;

  private KernelKiller(HelperConnection helper) throws KernelKillerException {
    this.helper = helper;
    this.loaded = load();
  }

  /**
   * Connects to the loaded killer.
   *
   * @param socket as given to {@code ua-killer reap --socket}
   * @param timeout how long all answers together may take
   * @throws KernelKillerException if no killer is loaded, its helper does not run or does not
   *     accept this process, or it is of another version
   */
  public static KernelKiller open(Path socket, Duration timeout) throws KernelKillerException {
    HelperConnection helper = HelperConnection.open(socket, timeout);
    try {
      return new KernelKiller(helper);
    } catch (KernelKillerException e) {
      helper.close();
      throw e;
    }
  }

  private HelperAnswers.LoadedKiller load() throws KernelKillerException {
    JsonNode answer;
    try {
      answer = helper.ask("domains");
    } catch (KernelKillerException e) {
      throw e.refused() || e.getCause() != null ? e : otherVersion("before 1");
    }
    int spoken = answer.path("protocol").asInt();
    if (spoken != PROTOCOL) {
      throw otherVersion(Integer.toString(spoken));
    }
    return HelperAnswers.loadedKiller(answer);
  }

  private static KernelKillerException otherVersion(String spoken) {
    return new KernelKillerException(
        ("the helper's socket speaks version %s, this client version %d: install the ua-killer that"
                + " came with this release, run `ua-killer unload`, and restart its service")
            .formatted(spoken, PROTOCOL));
  }

  /** Returns which component detects and which one kills. */
  public KernelTier tier() {
    return loaded.tier();
  }

  /** Returns when it was loaded, CLOCK_MONOTONIC nanoseconds; decisions are counted from then. */
  public long loadedNanos() {
    return loaded.loadedNanos();
  }

  /** Returns why this tier is used and not a better one, in one line. */
  public String reason() {
    return loaded.reason();
  }

  /** Returns whether containers can be killed: the tier needs no helper, or the helper runs. */
  public boolean effective() {
    return !tier().needsHelper() || helperRuns();
  }

  /**
   * Returns whether the helper did its work, in addition to answering, at the last call of {@link
   * #isCurrent}. It releases a victim's memory quickly, and kills in lower tiers.
   */
  public boolean helperRuns() {
    return loaded.helperRuns();
  }

  /** Returns how many of its programs the kernel runs; 0 in the tier that needs none. */
  public int attachedPrograms() {
    return loaded.attachedPrograms();
  }

  /** Returns how many passes since it was loaded found more cgroups than one pass may visit. */
  public long truncatedWalks() {
    return loaded.truncatedWalks();
  }

  /**
   * Returns how many containers and limits its passes since it was loaded could not observe,
   * because a table of the detector was full.
   */
  public long missedEntries() {
    return loaded.missedEntries();
  }

  /**
   * Refreshes the state of domains, programs and helper, and renews the timeout.
   *
   * @return whether this is still the killer that was opened, and not one that was loaded later
   * @throws KernelKillerException if the helper has ended or does not answer in time
   */
  public boolean isCurrent() throws KernelKillerException {
    helper.renewTimeout();
    long loadedNanos = loaded.loadedNanos();
    loaded = load();
    return loaded.loadedNanos() == loadedNanos;
  }

  /** Returns the cgroup ids of the roots of all domains. */
  public Set<Long> domains() {
    return loaded.domains().keySet();
  }

  /**
   * Returns the ids of the cgroups below which containers of a domain may be killed. Root names
   * them; a cgroup that does not exist at the moment is missing.
   */
  public Set<Long> killableRoots(long domain) {
    return Optional.ofNullable(loaded.domains().get(domain))
        .map(HelperAnswers.Domain::killableRoots)
        .orElse(Set.of());
  }

  /** Returns the settings in force in a domain, if it exists. */
  public Optional<DomainSettings> settings(long domain) {
    return Optional.ofNullable(loaded.domains().get(domain)).map(HelperAnswers.Domain::settings);
  }

  /**
   * Changes the settings of a domain.
   *
   * @throws KernelKillerException if there is no such domain, or root does not allow these
   *     tolerances
   */
  public void change(long domain, DomainSettings values) throws KernelKillerException {
    set(domain, "cgth-time-ms", Long.toString(values.thrashingTolerance().toMillis()));
    set(domain, "policy", word(values.policy()));
    set(domain, "owed-time-ms", Long.toString(values.owedTolerance().toMillis()));
    loaded = load();
  }

  private void set(long domain, String key, String value) throws KernelKillerException {
    helper.ask(String.format(Locale.ROOT, "set %s %s --domain %d", key, value, domain));
  }

  private static String word(VictimChoice.Policy policy) {
    return policy.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Registers containers of a domain, changes their registrations, and removes others. A refused
   * change does not prevent the other changes; removing a container that is not registered is not
   * an error.
   *
   * @param changed by cgroup id
   * @param forgotten cgroup ids
   * @return the reasons of refused changes, by cgroup id
   */
  public Map<Long, String> update(
      long domain, Map<Long, ContainerRegistration> changed, Collection<Long> forgotten)
      throws KernelKillerException {
    List<String> changes = new ArrayList<>();
    forgotten.forEach(container -> changes.add("-" + container));
    changed.forEach(
        (container, registration) ->
            changes.add(
                String.format(
                    Locale.ROOT,
                    "+%d:%d:%d:%d",
                    container,
                    registration.startNanos(),
                    registration.score(),
                    registration.entitledBytes())));
    Map<Long, String> refused = new LinkedHashMap<>();
    for (int from = 0; from < changes.size(); from += CHANGES_PER_REQUEST) {
      List<String> some =
          changes.subList(from, Math.min(from + CHANGES_PER_REQUEST, changes.size()));
      JsonNode answer = helper.ask("update " + domain + " " + String.join(" ", some));
      for (JsonNode one : answer.path("refused")) {
        refused.put(
            one.path("id").asLong(), one.path("error").asText("same error as the ones before"));
      }
    }
    return refused;
  }

  /**
   * Moves a container's processes out of the cgroup in which they may be killed, into the cgroup of
   * the same name in the place that root chose for promoted containers.
   *
   * @param container cgroup id of a container directly below a killable root of the domain
   * @return the number of processes moved
   * @throws KernelKillerException if there is no such container, or root chose no such place
   */
  public int move(long domain, long container) throws KernelKillerException {
    return helper
        .ask(String.format(Locale.ROOT, "move %d --domain %d", container, domain))
        .path("moved")
        .asInt();
  }

  /** Returns all registrations in a domain by cgroup id, including those of other clients. */
  public Map<Long, ContainerRegistration> registrations(long domain) throws KernelKillerException {
    return HelperAnswers.registrations(helper.ask("registrations " + domain));
  }

  /** Returns the last samples of a container, oldest first; empty if the kernel did not reclaim. */
  public List<ContainerSample> samples(long container) throws KernelKillerException {
    return HelperAnswers.samples(helper.ask("samples " + container));
  }

  /**
   * Returns the decisions after a known one, oldest first. The kernel keeps 64; overwritten
   * decisions are left out.
   *
   * @param known the number of the last known decision, 0 for none
   */
  public List<KernelDecision> decisionsSince(long known) throws KernelKillerException {
    return HelperAnswers.decisions(helper.ask("decisions " + known));
  }

  /** Returns one decision, if it was made and is among the last 64. */
  public Optional<KernelDecision> decision(long sequence) throws KernelKillerException {
    return decisionsSince(sequence - 1).stream()
        .filter(decision -> decision.sequence() == sequence)
        .findFirst();
  }

  @Override
  public void close() {
    helper.close();
  }
}
