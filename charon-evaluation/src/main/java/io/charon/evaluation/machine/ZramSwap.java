/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Creates swap on a new compressed memory device, which is removed afterwards.
 *
 * <p>Its label is {@code charon-} and the id of the process that created it, so that what a killed
 * process has left behind is known.
 */
public final class ZramSwap {
  private static final Path CONTROL = Path.of("/sys/class/zram-control");
  private static final Path SWAPS = Path.of("/proc/swaps");
  private static final String PRIORITY = "100";
  private static final Pattern DEVICE = Pattern.compile("/dev/zram(\\d+)");
  private static final Pattern LABEL = Pattern.compile("(?m)^LABEL: charon-(\\d{1,8})$");

  private ZramSwap() {}

  /**
   * Creates the device and enables swap on it. Removes those that killed processes have left behind
   * first, since pages would be spread over them.
   *
   * @param megabytes uncompressed size, MiB
   * @param cleanup receives the steps that remove the device
   * @throws IOException if the kernel has no zram, or an operation fails
   */
  public static void create(int megabytes, Cleanup cleanup)
      throws IOException, InterruptedException {
    if (!Files.exists(CONTROL)) {
      Programs.run(List.of("modprobe", "zram"));
    }
    removeLeftovers();
    String number = Files.readString(CONTROL.resolve("hot_add")).strip();
    cleanup.add(() -> Files.writeString(CONTROL.resolve("hot_remove"), number));
    Files.writeString(settings(number).resolve("disksize"), Long.toString((long) megabytes << 20));
    String device = "/dev/zram" + number;
    Programs.run(List.of("mkswap", "-L", "charon-" + ProcessHandle.current().pid(), device));
    Programs.run(List.of("swapon", "-p", PRIORITY, device));
    cleanup.add(() -> disable(device, number));
  }

  /**
   * Removes the swap that processes which no longer exist have created.
   *
   * @throws IOException if one cannot be removed
   */
  static void removeLeftovers() throws IOException, InterruptedException {
    for (String device : devices()) {
      Matcher zram = DEVICE.matcher(device);
      if (zram.matches() && isLeftover(device)) {
        disable(device, zram.group(1));
        Files.writeString(CONTROL.resolve("hot_remove"), zram.group(1));
      }
    }
  }

  private static List<String> devices() throws IOException {
    try (Stream<String> lines = Files.lines(SWAPS)) {
      return lines.skip(1).map(line -> line.split("\\s+", 2)[0]).toList();
    }
  }

  private static boolean isLeftover(String device) throws InterruptedException {
    try {
      Matcher ours = LABEL.matcher(Programs.run(List.of("swaplabel", device)));
      return ours.find() && ProcessHandle.of(Long.parseLong(ours.group(1))).isEmpty();
    } catch (IOException removedMeanwhile) {
      return false;
    }
  }

  private static void disable(String device, String number)
      throws IOException, InterruptedException {
    Programs.run(List.of("swapoff", device));
    Files.writeString(settings(number).resolve("reset"), "1");
  }

  private static Path settings(String number) {
    return Path.of("/sys/block/zram" + number);
  }
}
