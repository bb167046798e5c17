/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import io.charon.evaluation.machine.Cleanup;
import io.charon.evaluation.machine.NativeTools;
import io.charon.nodemanager.config.RegulatorKeys;
import io.charon.nodemanager.helper.Helper;
import io.charon.nodemanager.mechanisms.network.TrafficShaper;
import io.charon.nodemanager.network.NetworkDevice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The device by which a node in its own namespace sends, as Charon observes and limits it.
 *
 * @param megabitsPerSecond capacity of the link
 * @param device device in the node's namespace
 * @param helper program that runs the regulators' helper in that namespace
 * @param shaper limits the traffic of best-effort
 */
record ShapedLink(int megabitsPerSecond, NetworkDevice device, Path helper, TrafficShaper shaper) {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final Duration STEP = Duration.ofMillis(10);

  /**
   * Opens the device.
   *
   * @param directory directory for the program
   * @param cleanup receives the action that closes the device
   */
  static ShapedLink open(
      NativeTools tools,
      ColocatedNode node,
      NetworkCell cell,
      Path directory,
      int megabitsPerSecond,
      Cleanup cleanup)
      throws IOException, InterruptedException {
    // The devices of a namespace are in a sysfs of their own, which ip-netns mounts for the process
    // that it starts. That process reads a pipe that stays empty, and exits with this process.
    Process window = new ProcessBuilder("ip", "netns", "exec", cell.node(), "cat").start();
    cleanup.add(window::destroyForcibly);
    NetworkDevice device =
        new NetworkDevice(
            Path.of("/proc", Long.toString(window.pid()), "root", "sys"), NetworkCell.NODE_DEVICE);
    for (int i = 0; i < TIMEOUT.dividedBy(STEP) && !isVisible(window, device); i++) {
      Thread.sleep(STEP.toMillis());
    }
    Path helper = directory.resolve("helper");
    Files.writeString(
        helper,
        "#!/bin/sh\nexec %s %s \"$@\"\n"
            .formatted(String.join(" ", cell.atNode()), tools.killer()));
    Files.setPosixFilePermissions(helper, PosixFilePermissions.fromString("rwx------"));
    return new ShapedLink(
        megabitsPerSecond,
        device,
        helper,
        new TrafficShaper(
            new Helper(List.of(helper.toString()), TIMEOUT),
            device,
            TrafficShaper.bestEffortIn(node.layout()),
            false));
  }

  private static boolean isVisible(Process window, NetworkDevice device) {
    return window.isAlive()
        && Files.exists(device.sysRoot().resolve("class/net").resolve(device.name()));
  }

  /** Returns the values of the keys by which an agent finds the link. */
  Map<String, String> keys() {
    return Map.of(
        RegulatorKeys.NETWORK_DEVICE,
        device.name(),
        RegulatorKeys.NETWORK_LINK,
        Integer.toString(megabitsPerSecond),
        RegulatorKeys.HELPER,
        helper.toString());
  }

  /** Returns the capacity of the link, in bytes per second. */
  double bytesPerSecond() {
    return megabitsPerSecond * 1e6 / Byte.SIZE;
  }
}
