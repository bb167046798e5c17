/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.network;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One network device of this machine, which may vanish and come back as another one of the same
 * name.
 *
 * @param sysRoot where sysfs is mounted, usually /sys
 * @param name 1 to 15 of A-Z, a-z, 0-9, "_", "." and "-"
 */
public record NetworkDevice(Path sysRoot, String name) {
  private static final Pattern NAME = Pattern.compile("(?!\\.{1,2}$)[A-Za-z0-9_.-]{1,15}");

  /** As {@code ua-killer network} names its devices: this, and the number of the limited one. */
  private static final String SHAPER_PREFIX = "charon-be";

  private static final String DEFAULT_ROUTE = "00000000";

  /**
   * Refuses text that could be anything but a name.
   *
   * @throws IllegalArgumentException naming what is allowed
   */
  public NetworkDevice {
    if (!isName(name)) {
      throw new IllegalArgumentException(
          "a network device's name is 1 to 15 of A-Z, a-z, 0-9, '_', '.' and '-'");
    }
  }

  /** Whether the text may name a device. */
  public static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }

  /**
   * The device of the default route (IPv4): where a machine's traffic mostly leaves.
   *
   * @param procRoot where proc is mounted
   * @param sysRoot where sysfs is mounted
   * @return empty if there is no such route
   */
  public static Optional<NetworkDevice> ofDefaultRoute(Path procRoot, Path sysRoot) {
    List<String> routes;
    try {
      routes = Files.readAllLines(procRoot.resolve("net/route"));
    } catch (IOException e) {
      return Optional.empty(); // no IPv4, or hidden from this process
    }
    // A line of headings; then device, destination, ..., mask in the eighth column.
    return routes.stream()
        .skip(1)
        .map(line -> line.split("\\s+", -1))
        .filter(fields -> fields.length > 7)
        .filter(fields -> fields[1].equals(DEFAULT_ROUTE) && fields[7].equals(DEFAULT_ROUTE))
        .map(fields -> fields[0])
        .filter(NetworkDevice::isName)
        .findFirst()
        .map(device -> new NetworkDevice(sysRoot, device));
  }

  /**
   * The kernel's number of the device; one that is made anew has another.
   *
   * @throws IOException if there is no such device now
   */
  public int index() throws IOException {
    try {
      return Integer.parseInt(Files.readString(directory(name).resolve("ifindex")).strip());
    } catch (NoSuchFileException e) {
      throw new IOException("there is no network device " + name, e);
    } catch (IOException | NumberFormatException e) {
      throw new IOException("cannot read the number of the network device " + name + ": " + e, e);
    }
  }

  /** Whether best-effort's packets are told apart and limited on the device of that number. */
  public boolean isShaped(int index) {
    return Files.isDirectory(directory(shaper(index)));
  }

  /** Whether there is a shaper for any device, also for one that has vanished. */
  public boolean isAnyShaped() {
    String[] devices = sysRoot.resolve("class/net").toFile().list();
    return devices != null
        && Arrays.stream(devices).anyMatch(device -> device.startsWith(SHAPER_PREFIX));
  }

  /** The device through which best-effort's packets take a detour, once it is made. */
  public static String shaper(int index) {
    return SHAPER_PREFIX + index;
  }

  /** The counter of bytes sent through a device of this machine. */
  public Path sentBytes(String device) {
    return directory(device).resolve("statistics/tx_bytes");
  }

  /** Megabits per second; unreadable, or -1, where the driver does not know. */
  public Path speed() {
    return directory(name).resolve("speed");
  }

  private Path directory(String device) {
    return sysRoot.resolve("class/net").resolve(device);
  }
}
