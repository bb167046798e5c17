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
import java.util.stream.Stream;

/**
 * A network device of this machine. It may vanish and be replaced by another one of the same name.
 *
 * @param sysRoot the mount point of sysfs, usually /sys
 * @param name 1 to 15 of A-Z, a-z, 0-9, "_", "." and "-"
 */
public record NetworkDevice(Path sysRoot, String name) {
  private static final Pattern NAME = Pattern.compile("(?!\\.{1,2}$)[A-Za-z0-9_.-]{1,15}");

  /**
   * Prefix of the devices that {@code ua-killer network} creates; the index of the limited device
   * follows.
   */
  private static final String SHAPER_PREFIX = "charon-be";

  private static final String DEFAULT_ROUTE = "00000000";

  /**
   * Rejects text that is not a valid name.
   *
   * @throws IllegalArgumentException naming the allowed characters
   */
  public NetworkDevice {
    if (!isName(name)) {
      throw new IllegalArgumentException(
          "a network device's name is 1 to 15 of A-Z, a-z, 0-9, '_', '.' and '-'");
    }
  }

  /** Returns whether the text may name a device. */
  public static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }

  /**
   * Returns the device of the default IPv4 route, through which most traffic leaves a machine.
   *
   * @param procRoot the mount point of proc
   * @param sysRoot the mount point of sysfs
   * @return empty if there is no such route
   */
  public static Optional<NetworkDevice> ofDefaultRoute(Path procRoot, Path sysRoot) {
    List<String> routes;
    try {
      routes = Files.readAllLines(procRoot.resolve("net/route"));
    } catch (IOException e) {
      return Optional.empty(); // no IPv4, or hidden from this process
    }
    // A header line; then device, destination, ..., with the mask in the eighth column.
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
   * Returns the kernel's index of the device; a device that is created anew has another one.
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

  /**
   * Returns whether best-effort's packets are separated and limited on the device with that index.
   */
  public boolean isShaped(int index) {
    return Files.isDirectory(directory(shaper(index)));
  }

  /** Returns the devices on which best-effort's packets are limited, by whichever NodeManager. */
  public static List<NetworkDevice> shaped(Path sysRoot) {
    return Stream.ofNullable(sysRoot.resolve("class/net").toFile().list())
        .flatMap(Arrays::stream)
        .filter(NetworkDevice::isName)
        .sorted()
        .map(name -> new NetworkDevice(sysRoot, name))
        .filter(NetworkDevice::isShaped)
        .toList();
  }

  private boolean isShaped() {
    try {
      return isShaped(index());
    } catch (IOException e) {
      return false; // it has vanished, and its limit with it
    }
  }

  /** Returns whether a shaper exists for any device, including one that has vanished. */
  public boolean isAnyShaped() {
    String[] devices = sysRoot.resolve("class/net").toFile().list();
    return devices != null
        && Arrays.stream(devices).anyMatch(device -> device.startsWith(SHAPER_PREFIX));
  }

  /**
   * Returns the name of the device through which best-effort's packets are routed once it exists.
   */
  public static String shaper(int index) {
    return SHAPER_PREFIX + index;
  }

  /** Returns the file that counts the bytes sent through a device. */
  public Path sentBytes(String device) {
    return directory(device).resolve("statistics/tx_bytes");
  }

  /**
   * Returns the file with the speed in Mbit/s; it is unreadable, or holds -1, if the driver does
   * not know the speed.
   */
  public Path speed() {
    return directory(name).resolve("speed");
  }

  private Path directory(String device) {
    return sysRoot.resolve("class/net").resolve(device);
  }
}
