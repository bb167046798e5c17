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
 * The kernel killer that root has loaded, as a NodeManager uses it: through the socket of its
 * helper, which hears root and the NodeManager ({@code docs/kernel-ua-killer.md}). Containers are
 * memory cgroups, named by the inode numbers of their directories ({@link CgroupId}).
 *
 * <p>All requests between two calls of {@link #isCurrent} wait together no longer than the timeout
 * that was given. After that, and when the helper has ended, everything throws at once.
 */
public final class KernelKiller implements AutoCloseable {
  /** {@code UA_PROTOCOL}. */
  private static final int PROTOCOL = 2;

  /** The helper takes lines of 8191 bytes; one change has 64 at most. */
  private static final int CHANGES_PER_REQUEST = 100;

  private final HelperConnection helper;
  private Answers.Look look;

  private KernelKiller(HelperConnection helper) throws KernelKillerException {
    this.helper = helper;
    this.look = look();
  }

  /**
   * Opens the killer that is loaded.
   *
   * @param socket as given to {@code ua-killer reap --socket}
   * @param timeout how long to wait for answers, in sum
   * @throws KernelKillerException if none is loaded, its helper does not run or does not hear this
   *     process, or it is of another version
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

  private Answers.Look look() throws KernelKillerException {
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
    return Answers.look(answer);
  }

  private static KernelKillerException otherVersion(String spoken) {
    return new KernelKillerException(
        ("the helper's socket speaks version %s, this client version %d: install the ua-killer that"
                + " came with this release, run `ua-killer unload`, and restart its service")
            .formatted(spoken, PROTOCOL));
  }

  /** Who detects and who kills. */
  public KernelTier tier() {
    return look.tier();
  }

  /** When it was loaded, CLOCK_MONOTONIC nanoseconds; decisions are numbered anew from then on. */
  public long loadedNanos() {
    return look.loadedNanos();
  }

  /** Why this tier and not a better one, in one line. */
  public String reason() {
    return look.reason();
  }

  /** Whether kills happen: a tier that needs its helper has one. */
  public boolean effective() {
    return !tier().needsHelper() || helperRuns();
  }

  /**
   * Whether the helper did its work, beside answering, when {@link #isCurrent} was called last. It
   * returns a victim's memory quickly, and kills in lower tiers.
   */
  public boolean helperRuns() {
    return look.helperRuns();
  }

  /** How many of its programs the kernel runs; none in the tier that needs none. */
  public int attachedPrograms() {
    return look.attachedPrograms();
  }

  /** Passes since it was loaded that found more cgroups than one of them may visit. */
  public long truncatedWalks() {
    return look.truncatedWalks();
  }

  /**
   * Looks anew, which all that is said of domains, programs and helper follows, and begins a new
   * timeout.
   *
   * @return whether this is still the killer that was opened, and not one that was loaded later
   * @throws KernelKillerException if the helper has ended or does not answer in time
   */
  public boolean isCurrent() throws KernelKillerException {
    helper.renewTimeout();
    long loadedNanos = look.loadedNanos();
    look = look();
    return look.loadedNanos() == loadedNanos;
  }

  /** Cgroup ids of the roots of all domains. */
  public Set<Long> domains() {
    return look.domains().keySet();
  }

  /**
   * Cgroup ids of those below which containers of a domain may be killed. Root says which; one that
   * is not there just now is missing.
   */
  public Set<Long> killableRoots(long domain) {
    return Optional.ofNullable(look.domains().get(domain))
        .map(Answers.Domain::killableRoots)
        .orElse(Set.of());
  }

  /** The settings of a domain as they apply, if it exists. */
  public Optional<DomainSettings> settings(long domain) {
    return Optional.ofNullable(look.domains().get(domain)).map(Answers.Domain::settings);
  }

  /**
   * Changes the settings of a domain.
   *
   * @throws KernelKillerException if there is no such domain, or root allows it other tolerances
   */
  public void change(long domain, DomainSettings values) throws KernelKillerException {
    set(domain, "cgth-time-ms", Long.toString(values.thrashingTolerance().toMillis()));
    set(domain, "policy", word(values.policy()));
    set(domain, "owed-time-ms", Long.toString(values.owedTolerance().toMillis()));
    look = look();
  }

  private void set(long domain, String key, String value) throws KernelKillerException {
    helper.ask("set %s %s --domain %d".formatted(key, value, domain));
  }

  private static String word(VictimChoice.Policy policy) {
    return policy.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Registers containers of a domain, changes their registrations, and forgets others. One that is
   * refused keeps none of the others from being changed; to forget one that is not registered is no
   * error.
   *
   * @param changed by cgroup id
   * @param forgotten cgroup ids
   * @return why some were refused, by cgroup id
   */
  public Map<Long, String> update(
      long domain, Map<Long, ContainerRegistration> changed, Collection<Long> forgotten)
      throws KernelKillerException {
    List<String> changes = new ArrayList<>();
    forgotten.forEach(container -> changes.add("-" + container));
    changed.forEach(
        (container, registration) ->
            changes.add(
                "+%d:%d:%d:%d"
                    .formatted(
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
        refused.put(one.path("id").asLong(), one.path("error").asText("like those before it"));
      }
    }
    return refused;
  }

  /**
   * Takes a container's processes out of the cgroup in which it may be killed, into the one of the
   * same name where root lets promoted containers go.
   *
   * @param container cgroup id of one that lies directly in a killable root of the domain
   * @return how many processes were moved
   * @throws KernelKillerException if it is not there, or root named no such place
   */
  public int move(long domain, long container) throws KernelKillerException {
    return helper.ask("move %d --domain %d".formatted(container, domain)).path("moved").asInt();
  }

  /** What is registered in a domain, by cgroup id, by whomever. */
  public Map<Long, ContainerRegistration> registrations(long domain) throws KernelKillerException {
    return Answers.registrations(helper.ask("registrations " + domain));
  }

  /** The last samples of a container, oldest first; none without reclaim. */
  public List<ContainerSample> samples(long container) throws KernelKillerException {
    return Answers.samples(helper.ask("samples " + container));
  }

  /**
   * Decisions after one that is known, oldest first. The kernel keeps 64: what was overwritten is
   * left out.
   *
   * @param known the number of the last decision that is known, 0 for none
   */
  public List<KernelDecision> decisionsSince(long known) throws KernelKillerException {
    return Answers.decisions(helper.ask("decisions " + known));
  }

  /** One decision, if it was taken and is among the last 64. */
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
