/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.network;

import io.charon.core.law.RegulatedLimit;
import io.charon.core.law.ReserveRegulator;
import io.charon.core.law.SharedLinkRegulator;
import io.charon.core.mechanism.CheckedAvailability;
import io.charon.core.mechanism.Limit;
import io.charon.core.mechanism.NodeReading;
import io.charon.nodemanager.config.RegulatorSettings;
import io.charon.nodemanager.config.RegulatorSettings.NetworkLimit;
import io.charon.nodemanager.execution.Actuator;
import io.charon.nodemanager.network.EgressDevice;
import io.charon.nodemanager.network.NetworkDevice;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Assembles the limit of best-effort's outgoing traffic, which follows the foreground's traffic.
 */
public final class EgressLimit {
  private EgressLimit() {}

  /**
   * Assembles the mechanism.
   *
   * @param wanted the operator's settings
   * @param sensor whether the traffic of both sides can be read
   */
  public static RegulatedLimit of(RegulatorSettings.Network wanted, CheckedAvailability sensor) {
    return new RegulatedLimit(
        new RegulatedLimit.Subject(
            "network",
            Limit.TRAFFIC,
            "bytes_per_second",
            "traffic sent",
            "bytes_per_second",
            NodeReading::network,
            seen -> seen.network().foreground(),
            Optional.empty()),
        wanted.link().limit() == NetworkLimit.GIVE_WAY
            ? new SharedLinkRegulator()
            : new ReserveRegulator(wanted.rule()),
        sensor);
  }

  /**
   * Returns an actuator that limits the traffic as soon as the device is known. Undoing also
   * removes this node's limits on other devices, through which an earlier NodeManager sent.
   *
   * @param device the device through which best-effort sends
   * @param sysRoot where sysfs is mounted
   * @param shapers returns the actuator for a device
   */
  public static Actuator actuator(
      EgressDevice device, Path sysRoot, Function<NetworkDevice, TrafficShaper> shapers) {
    Supplier<Optional<TrafficShaper>> shaper = () -> device.known().map(shapers);
    return Actuator.of(
        () ->
            shaper
                .get()
                .map(TrafficShaper::unavailable)
                .orElseGet(() -> Optional.of(EgressDevice.MISSING)),
        wanted ->
            shaper.get().orElseThrow(() -> new IOException(EgressDevice.MISSING)).apply(wanted),
        () -> {
          Set<NetworkDevice> limited = new LinkedHashSet<>();
          device.known().ifPresent(limited::add);
          NetworkDevice.shaped(sysRoot).stream()
              .filter(other -> shapers.apply(other).mayBeOurs())
              .forEach(limited::add);
          undo(limited.stream().map(shapers).toList());
        });
  }

  private static void undo(List<TrafficShaper> shapers) throws IOException {
    StringJoiner left = new StringJoiner("; ");
    for (TrafficShaper shaper : shapers) {
      try {
        shaper.undo();
      } catch (IOException e) {
        left.add(e.getMessage());
      }
    }
    if (left.length() > 0) {
      throw new IOException(left.toString());
    }
  }
}
