/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ZramSwapKernelTest {
  private static final Path CONTROL = Path.of("/sys/class/zram-control");

  private final Cleanup cleanup = new Cleanup();
  private final List<String> created = new ArrayList<>();

  @BeforeEach
  void needsZram() {
    boolean able = Files.isWritable(CONTROL.resolve("hot_remove"));
    String reason = "no zram in this kernel, or not root";
    if (!able) {
      System.out.println("SKIPPED ZramSwapKernelTest: " + reason);
    }
    assumeTrue(able, reason);
  }

  @AfterEach
  void leaveNothingBehind() throws Exception {
    cleanup.close();
    for (String device : created) {
      if (isUsed(device)) {
        Programs.run(List.of("swapoff", device));
      }
      Path settings = Path.of("/sys/block", device.substring("/dev/".length()));
      if (Files.exists(settings)) {
        Files.writeString(settings.resolve("reset"), "1");
        Files.writeString(CONTROL.resolve("hot_remove"), number(device));
      }
    }
  }

  @Test
  void whatAKilledProcessHasLeftBehindIsRemoved() throws Exception {
    String leftover = swap("charon-" + EndedProcess.id());

    ZramSwap.create(16, cleanup);

    // Linux gives the number of a removed device to the next one.
    if (isUsed(leftover)) {
      assertThat(Programs.run(List.of("swaplabel", leftover)))
          .contains("charon-" + ProcessHandle.current().pid());
    }
    cleanup.close();
    assertThat(isUsed(leftover)).isFalse();
    assertThat(Path.of("/sys/block", leftover.substring("/dev/".length()))).doesNotExist();
  }

  @Test
  @Tag("must-never")
  void otherSwapStays() throws Exception {
    String running = swap("charon-" + ProcessHandle.current().pid());
    String foreign = swap("a-charon-" + EndedProcess.id());

    ZramSwap.removeLeftovers();

    assertThat(isUsed(running)).isTrue();
    assertThat(isUsed(foreign)).isTrue();
  }

  @Test
  void itIsRemovedWhenItsCommandEnds() throws Exception {
    List<String> before = Files.readAllLines(Path.of("/proc/swaps"));
    ZramSwap.create(16, cleanup);
    assertThat(Files.readAllLines(Path.of("/proc/swaps"))).hasSize(before.size() + 1);
    cleanup.close();
    assertThat(Files.readAllLines(Path.of("/proc/swaps"))).hasSize(before.size());
  }

  /** Makes swap of 16 MB with this label, as another process would. */
  private String swap(String label) throws IOException, InterruptedException {
    String device = "/dev/zram" + Files.readString(CONTROL.resolve("hot_add")).strip();
    created.add(device);
    Files.writeString(
        Path.of("/sys/block", device.substring("/dev/".length()), "disksize"),
        Long.toString(16L << 20));
    Programs.run(List.of("mkswap", "-L", label, device));
    Programs.run(List.of("swapon", device));
    return device;
  }

  private static boolean isUsed(String device) throws IOException {
    return Files.readAllLines(Path.of("/proc/swaps")).stream()
        .anyMatch(line -> line.startsWith(device + " "));
  }

  private static String number(String device) {
    return device.substring("/dev/zram".length());
  }
}
