/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KillDelayProfileTest {
  @TempDir private Path directory;

  private Path result(String name, List<KillMeasurement> kills) throws Exception {
    Path file = directory.resolve(name);
    KillerReport.of(
            Measurements.result(
                List.of(KillVariants.IN_KERNEL_WITH_REAPER, KillVariants.JVM), kills))
        .writeJson(file);
    return file;
  }

  @Test
  void severalResultsBecomeOneProfile() throws Exception {
    Path first =
        result("1.json", Measurements.kills(KillVariants.IN_KERNEL_WITH_REAPER, 50, 9, 0.04, 5.04));
    List<KillMeasurement> more =
        new ArrayList<>(Measurements.kills(KillVariants.IN_KERNEL_WITH_REAPER, 50, 1, 0.08, 10.08));
    more.addAll(Measurements.kills(KillVariants.JVM, 50, 4, 60, 70));
    Path profile = directory.resolve("below/profile.properties");
    KillDelayProfile.read(List.of(first, result("2.json", more))).write(profile);
    Properties properties = new Properties();
    try (Reader in = Files.newBufferedReader(profile)) {
      properties.load(in);
    }
    assertThat(properties)
        .containsEntry(
            "kernel.signal-millis",
            "0:0.040 10:0.040 25:0.040 50:0.040 75:0.040 90:0.040 95:0.080 100:0.080")
        .containsEntry(
            "kernel.release-millis-per-mebibyte",
            "0:0.100 10:0.100 25:0.100 50:0.100 75:0.100 90:0.100 95:0.200 100:0.200")
        .containsKeys("user-space.signal-millis", "user-space.release-millis-per-mebibyte")
        .hasSize(4);
    assertThat(Files.readString(profile))
        .contains(
            "# kernel: variant in-kernel+reaper, 9 kills of containers of 50 MB; Linux 6.18.0")
        .contains("# user-space: variant jvm-poll+fork-exec, 4 kills");
  }

  @Test
  void theReleaseIsThatOfTheLargestContainers() throws Exception {
    List<KillMeasurement> kills =
        new ArrayList<>(Measurements.kills(KillVariants.IN_KERNEL_WITH_REAPER, 50, 2, 0.04, 5.04));
    // With a small container, a fixed delay of 40 ms would appear as 0.9 ms per MiB.
    kills.addAll(Measurements.kills(KillVariants.JVM, 50, 2, 60, 105));
    Path small = result("small.json", kills);
    Path large =
        Files.writeString(
            directory.resolve("large.json"),
            Files.readString(result("l.json", Measurements.kills(KillVariants.JVM, 50, 2, 61, 66)))
                .replace("\"containerMegabytes\" : 50", "\"containerMegabytes\" : 500"));
    Path profile = directory.resolve("profile.properties");
    KillDelayProfile.read(List.of(small, large)).write(profile);
    assertThat(Files.readString(profile))
        .contains("user-space.signal-millis = 0:60.000 ", " 100:61.000")
        .contains("user-space.release-millis-per-mebibyte = 0:0.100 ")
        .doesNotContain("0.900");
  }

  @Test
  void whatIsMissingIsNamedWithTheCure() throws Exception {
    Path onlyKernel =
        result("k.json", Measurements.kills(KillVariants.IN_KERNEL_WITH_REAPER, 50, 2, 0.04, 5));
    assertThatThrownBy(() -> KillDelayProfile.read(List.of(onlyKernel)))
        .hasMessageContaining("no kill by variant jvm-poll+fork-exec")
        .hasMessageContaining("charon bench killer --variants");
    Path other = Files.writeString(directory.resolve("other.json"), "{\"runs\": []}");
    assertThatThrownBy(() -> KillDelayProfile.read(List.of(other)))
        .hasMessageContaining("other.json")
        .hasMessageContaining("not a result of charon bench killer");
    Path broken = Files.writeString(directory.resolve("broken.json"), "{\"variants\": [");
    assertThatThrownBy(() -> KillDelayProfile.read(List.of(broken)))
        .hasMessageContaining("broken.json: not JSON");
    assertThatThrownBy(() -> KillDelayProfile.read(List.of(directory.resolve("none.json"))))
        .hasMessageContaining("none.json: no such file");
    Path negative =
        Files.writeString(
            directory.resolve("negative.json"),
            Files.readString(onlyKernel).replace("0.04", "-0.04"));
    assertThatThrownBy(() -> KillDelayProfile.read(List.of(negative)))
        .hasMessageContaining("decisionToLastSignalMillis")
        .hasMessageContaining("-0.04");
  }
}
