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

/** Swap on a compressed memory device that did not exist before and does not exist afterwards. */
public final class ZramSwap {
  private static final Path CONTROL = Path.of("/sys/class/zram-control");
  private static final String PRIORITY = "100";

  private ZramSwap() {}

  /**
   * Makes the device and swaps on it.
   *
   * @param megabytes its size, uncompressed
   * @param cleanup learns how to remove it
   * @throws IOException if the kernel has no zram, or refuses
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
