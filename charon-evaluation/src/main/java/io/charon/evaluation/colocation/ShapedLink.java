/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import io.charon.evaluation.machine.Cleanup;
import io.charon.evaluation.machine.NativeTools;
import io.charon.nodemanager.helper.Helper;
import io.charon.nodemanager.mechanisms.network.TrafficShaper;
import io.charon.nodemanager.network.NetworkDevice;
import io.charon.nodemanager.sensor.NetworkSensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The device by which a node in its own namespace sends, as Charon observes and limits it.
 *
 * @param bytesPerSecond capacity of the link
 * @param device device in the node's namespace
 * @param shaper limits the traffic of best-effort
 * @param givingWay limits it, and lets its packets yield to others
 */
record ShapedLink(
    double bytesPerSecond, NetworkDevice device, TrafficShaper shaper, TrafficShaper givingWay) {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final Duration STEP = Duration.ofMillis(10);

  /**
   * Opens the device.
   *
   * @param cleanup receives the action that closes the device
   */
  static ShapedLink open(
      NativeTools tools,
      ColocatedNode node,
      NetworkCell cell,
      double bytesPerSecond,
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
    List<String> helper = new ArrayList<>(cell.atNode());
    helper.add(tools.killer().toString());
    return new ShapedLink(
        bytesPerSecond,
        device,
        shaper(helper, device, node, false),
        shaper(helper, device, node, true));
  }

  private static TrafficShaper shaper(
      List<String> helper, NetworkDevice device, ColocatedNode node, boolean givesWay) {
    return new TrafficShaper(
        new Helper(helper, TIMEOUT), device, TrafficShaper.bestEffortIn(node.layout()), givesWay);
  }

  private static boolean isVisible(Process window, NetworkDevice device) {
    return window.isAlive()
        && Files.exists(device.sysRoot().resolve("class/net").resolve(device.name()));
  }

  /** Returns a sensor of the device. */
  NetworkSensor sensor() {
    return new NetworkSensor(device, OptionalDouble.of(bytesPerSecond));
  }
}
