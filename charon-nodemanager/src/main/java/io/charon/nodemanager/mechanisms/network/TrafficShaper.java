/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.network;

import io.charon.core.mechanism.Action;
import io.charon.killer.client.CgroupId;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.CgroupVersion;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.execution.Actuator;
import io.charon.nodemanager.helper.Helper;
import io.charon.nodemanager.network.NetworkDevice;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Limits best-effort's outgoing traffic through one network device, by a token bucket. The helper
 * {@code ua-killer network} does the work, because this process has no privileges.
 */
public final class TrafficShaper implements Actuator {
  /**
   * Minimum limit, 1 Mbit/s; smaller limits are raised to it. Our choice: a token bucket cannot
   * have a rate of zero, and containers that cannot even send a heartbeat lose their work.
   */
  public static final long MIN_BYTES_PER_SECOND = 125_000;

  private static final double MAX_BYTES_PER_SECOND = 1e12;

  private final Helper helper;
  private final NetworkDevice device;
  private final Optional<Path> bestEffort;
  private final boolean givesWay;

  /**
   * Creates the actuator without installing anything.
   *
   * @param helper installs and removes the limit
   * @param device the device through which best-effort sends
   * @param bestEffort the common parent of best-effort in the unified hierarchy; empty if that is
   *     not mounted
   * @param givesWay whether best-effort's packets are dropped at once while others use up the limit
   */
  public TrafficShaper(
      Helper helper, NetworkDevice device, Optional<Path> bestEffort, boolean givesWay) {
    this.helper = helper;
    this.device = device;
    this.bestEffort = bestEffort;
    this.givesWay = givesWay;
  }

  /**
   * Returns best-effort's common parent in the hierarchy by which the kernel identifies senders.
   */
  public static Optional<Path> bestEffortIn(CgroupLayout layout) {
    return layout.hierarchies().stream()
        .filter(hierarchy -> hierarchy.version() == CgroupVersion.V2)
        .findFirst()
        .map(hierarchy -> layout.classDirectory(hierarchy, ContainerClass.BEST_EFFORT));
  }

  @Override
  public Optional<String> unavailable() {
    if (bestEffort.isEmpty()) {
      return Optional.of("cgroup v2, by which the kernel identifies the sender, is not mounted");
    }
    if (helper.unavailable().isPresent()) {
      return helper.unavailable();
    }
    try {
      return failure(run("self-test", List.of()));
    } catch (IOException e) {
      return Optional.of(e.getMessage());
    }
  }

  @Override
  public String apply(Action.SetLimit wanted) throws IOException {
    return limit(wanted.amount());
  }

  /**
   * Limits best-effort's outgoing traffic.
   *
   * @param limit bytes per second
   * @return a description of the new limit
   * @throws IOException naming the command; the previous limit may still be in force
   */
  public String limit(double limit) throws IOException {
    long rate = (long) Math.min(MAX_BYTES_PER_SECOND, Math.max(MIN_BYTES_PER_SECOND, limit));
    Path cgroup =
        bestEffort.orElseThrow(
            () -> new IOException("cgroup v2 is not mounted; nothing is changed"));
    List<String> options =
        new ArrayList<>(List.of("--cgroup", cgroup.toString(), "--rate", Long.toString(rate)));
    if (givesWay) {
      options.addAll(List.of("--give-way-on", Long.toString(rate)));
    }
    Optional<String> failure = failure(run("limit", options));
    if (failure.isPresent()) {
      throw new IOException(failure.get());
    }
    return String.format(
        Locale.ROOT,
        "%s: best-effort may send %d bytes/s%s",
        device.name(),
        rate,
        givesWay ? " less the traffic of all others" : "");
  }

  @Override
  public void undo() throws IOException {
    if (helper.unavailable().isPresent() && !device.isAnyShaped()) {
      return; // never installed, so no limit can be left
    }
    Optional<String> failure;
    try {
      failure = failure(run("clear", List.of()));
    } catch (IOException e) {
      failure = Optional.of(e.getMessage());
    }
    if (failure.isPresent()) {
      throw new IOException(
          "best-effort may still be limited on %s: %s; to remove the limit, as root: ua-killer network clear --device %1$s"
              .formatted(device.name(), failure.get()));
    }
  }

  /**
   * Returns whether the limit on the device, if there is one, is that of this node's best-effort;
   * also if only the helper could tell. That of another NodeManager has to stay, and one whose
   * cgroup was removed limits nobody.
   */
  boolean mayBeOurs() {
    try {
      return bestEffort.isPresent()
          && (helper.unavailable().isPresent()
              || run("show", List.of("--json"))
                  .text()
                  .contains("\"cgroup\":" + CgroupId.of(bestEffort.get()) + ","));
    } catch (IOException e) {
      return false;
    }
  }

  private Optional<String> failure(Helper.Answer answer) {
    return answer.isDone()
        ? Optional.empty()
        : Optional.of(helper.withCapabilityHint(answer.text()));
  }

  private Helper.Answer run(String command, List<String> options) throws IOException {
    List<String> words = new ArrayList<>(List.of("network", command, "--device", device.name()));
    words.addAll(options);
    return helper.call(words);
  }
}
