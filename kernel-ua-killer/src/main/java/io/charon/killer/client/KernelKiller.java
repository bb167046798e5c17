/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.killer.client;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The loaded kernel killer as a process without privileges sees it: through its pinned maps, which
 * the group given to {@code ua-killer load} may open. Registers containers, changes settings, reads
 * decisions. Thread-safe; every call is a few system calls and never blocks.
 */
public final class KernelKiller implements AutoCloseable {
  /** A helper that was not heard of for so long does not run; {@code UA_HELPER_SILENT_MS}. */
  private static final Duration HELPER_SILENT = Duration.ofSeconds(3);

  private final Path pins;
  private final BpfSystemCall bpf;
  private final List<PinnedMap> opened = new ArrayList<>();
  private final ByteBuffer control;
  private final KernelTier tier;
  private final PinnedMap helper;
  private final PinnedMap domains;
  private final PinnedMap settings;
  private final PinnedMap containers;
  private final PinnedMap killable;
  private final PinnedMap states;
  private final PinnedMap decisions;
  private final PinnedMap releases;

  private KernelKiller(Path bpffs) throws KernelKillerException {
    this.pins = bpffs.resolve("charon");
    this.bpf = BpfSystemCall.bind();
    try {
      this.control = readControl();
      if (KillerMaps.version(control) != KillerMaps.VERSION) {
        throw new KernelKillerException(
            "the loaded killer has map version %d, this client knows %d: unload it and load the one that came with this client"
                .formatted(KillerMaps.version(control), KillerMaps.VERSION));
      }
      this.tier = KillerMaps.tier(control);
      this.helper = open("helper", false, PinnedMap.INDEX_KEY, KillerMaps.HELPER_BYTES);
      this.domains = open("domains", false, PinnedMap.LONG_KEY, KillerMaps.DOMAIN_BYTES);
      this.settings = open("settings", true, PinnedMap.LONG_KEY, KillerMaps.SETTINGS_BYTES);
      this.containers = open("containers", true, PinnedMap.LONG_KEY, KillerMaps.CONTAINER_BYTES);
      this.killable = open("killable", false, PinnedMap.LONG_KEY, KillerMaps.KILLABLE_BYTES);
      this.states = open("container_state", false, PinnedMap.LONG_KEY, KillerMaps.STATE_BYTES);
      this.decisions = open("decisions", false, PinnedMap.INDEX_KEY, KillerMaps.DECISION_BYTES);
      this.releases = open("releases", false, PinnedMap.INDEX_KEY, KillerMaps.RELEASE_BYTES);
    } catch (KernelKillerException e) {
      close();
      throw e;
    }
  }

  /**
   * Opens the killer that is loaded.
   *
   * @param bpffs where its bpffs is mounted, as given to {@code ua-killer --bpffs}
   * @throws KernelKillerException if none is loaded, this user may not open it, or it is of another
   *     version
   */
  public static KernelKiller open(Path bpffs) throws KernelKillerException {
    return new KernelKiller(bpffs);
  }

  /** Who detects and who kills. */
  public KernelTier tier() {
    return tier;
  }

  /** Why this tier and not a better one, in one line. */
  public String reason() {
    return KillerMaps.reason(control);
  }

  /** Whether kills happen: a tier that needs its helper has one. */
  public boolean effective() throws KernelKillerException {
    return !tier.needsHelper() || helperRuns();
  }

  /** Whether the helper, which returns a victim's memory quickly, runs. */
  public boolean helperRuns() throws KernelKillerException {
    long aliveNanos = helper.get(0).map(KillerMaps::helperAliveNanos).orElse(0L);
    return aliveNanos != 0 && System.nanoTime() - aliveNanos < HELPER_SILENT.toNanos();
  }

  /** Whether this is still the killer that is loaded, and not one that was replaced. */
  public boolean isCurrent() {
    try {
      return KillerMaps.loadedNanos(readControl()) == KillerMaps.loadedNanos(control);
    } catch (KernelKillerException e) {
      return false;
    }
  }

  /** Cgroup ids of the roots of all domains. */
  public Set<Long> domains() throws KernelKillerException {
    return Set.copyOf(domains.keys());
  }

  /**
   * Cgroup ids of those below which containers of a domain may be killed. Root says which; one that
   * is not there just now is missing.
   */
  public Set<Long> killableRoots(long domain) throws KernelKillerException {
    Set<Long> roots = new HashSet<>();
    for (long root : killable.keys()) {
      Optional<ByteBuffer> value = killable.get(root);
      // A negative key is no cgroup: what keeps the path of one that was removed.
      if (root > 0 && value.isPresent() && KillerMaps.domainOfKillable(value.get()) == domain) {
        roots.add(root);
      }
    }
    return roots;
  }

  /** The settings of a domain, if it exists. */
  public Optional<DomainSettings> settings(long domain) throws KernelKillerException {
    Optional<ByteBuffer> values = settings.get(domain);
    return values.isPresent() ? Optional.of(KillerMaps.settings(values.get())) : Optional.empty();
  }

  /**
   * Changes the settings of a domain.
   *
   * @throws KernelKillerException if there is no such domain, or root allows it other tolerances
   */
  public void change(long domain, DomainSettings values) throws KernelKillerException {
    ByteBuffer limits = domains.get(domain).orElseThrow(() -> noDomain(domain));
    Duration tolerance = values.thrashingTolerance();
    Duration shortest = KillerMaps.shortestTolerance(limits);
    Duration longest = KillerMaps.longestTolerance(limits);
    if (!tolerance.isZero()
        && (tolerance.compareTo(shortest) < 0 || tolerance.compareTo(longest) > 0)) {
      throw new KernelKillerException(
          "cgth_time %d ms is refused: this domain allows 0 (off) or %d to %d ms; root sets the limits with `ua-killer domain add`"
              .formatted(tolerance.toMillis(), shortest.toMillis(), longest.toMillis()));
    }
    ByteBuffer stored = settings.get(domain).orElseThrow(() -> noDomain(domain));
    KillerMaps.change(stored, values);
    settings.put(domain, stored);
  }

  /** Registers a container by the id of its memory cgroup, or changes its registration. */
  public void register(long container, ContainerRegistration registration)
      throws KernelKillerException {
    ByteBuffer value = containers.emptyValue();
    KillerMaps.write(value, registration);
    containers.put(container, value);
  }

  /** Forgets a container; one that is not registered is no error. */
  public void unregister(long container) throws KernelKillerException {
    containers.remove(container);
  }

  /** What is registered for a container. */
  public Optional<ContainerRegistration> registration(long container) throws KernelKillerException {
    return containers.get(container).map(KillerMaps::registration);
  }

  /** The last samples of a container, oldest first; none without reclaim. */
  public List<ContainerSample> samples(long container) throws KernelKillerException {
    return states.get(container).map(KillerMaps::samples).orElse(List.of());
  }

  /**
   * Decisions after one that is known, oldest first. The kernel keeps 64: what was overwritten is
   * left out.
   *
   * @param known the number of the last decision that is known, 0 for none
   */
  public List<KernelDecision> decisionsSince(long known) throws KernelKillerException {
    List<KernelDecision> found = new ArrayList<>();
    long next = known + 1;
    while (true) {
      long there = decisions.get(next % KillerMaps.DECISIONS).map(KillerMaps::sequence).orElse(0L);
      if (there < next) {
        return found;
      }
      if (there > next) { // overwritten: go on with the oldest that must still be there
        next = there - KillerMaps.DECISIONS + 1;
      }
      decision(next).ifPresent(found::add);
      next++;
    }
  }

  /** One decision, if it was taken and is among the last 64. */
  public Optional<KernelDecision> decision(long sequence) throws KernelKillerException {
    long entry = sequence % KillerMaps.DECISIONS;
    Optional<ByteBuffer> found =
        decisions.get(entry).filter(value -> KillerMaps.sequence(value) == sequence);
    return found.isPresent()
        ? Optional.of(KillerMaps.decision(found.get(), releases.get(entry)))
        : Optional.empty();
  }

  @Override
  public void close() {
    opened.forEach(PinnedMap::close);
    opened.clear();
  }

  private ByteBuffer readControl() throws KernelKillerException {
    try (PinnedMap map =
        PinnedMap.open(
            bpf, pins.resolve("control"), false, PinnedMap.INDEX_KEY, KillerMaps.CONTROL_BYTES)) {
      return map.get(0).orElseThrow();
    }
  }

  private PinnedMap open(String name, boolean writable, int keyBytes, int valueBytes)
      throws KernelKillerException {
    PinnedMap map = PinnedMap.open(bpf, pins.resolve(name), writable, keyBytes, valueBytes);
    opened.add(map);
    return map;
  }

  private static KernelKillerException noDomain(long domain) {
    return new KernelKillerException(
        "cgroup " + domain + " is no domain; root adds it with `ua-killer domain add`");
  }
}
