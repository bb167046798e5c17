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

/** Creates swap on a new compressed memory device, which is removed afterwards. */
public final class ZramSwap {
  private static final Path CONTROL = Path.of("/sys/class/zram-control");
  private static final String PRIORITY = "100";

  private ZramSwap() {}

  /**
   * Creates the device and enables swap on it.
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
    String number = Files.readString(CONTROL.resolve("hot_add")).strip();
    cleanup.add(() -> Files.writeString(CONTROL.resolve("hot_remove"), number));
    Path settings = Path.of("/sys/block/zram" + number);
    Files.writeString(settings.resolve("disksize"), Long.toString((long) megabytes << 20));
    String device = "/dev/zram" + number;
    Programs.run(List.of("mkswap", device));
    Programs.run(List.of("swapon", "-p", PRIORITY, device));
    cleanup.add(
        () -> {
          Programs.run(List.of("swapoff", device));
          Files.writeString(settings.resolve("reset"), "1");
        });
  }
}
