/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.disklimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.Action.Basis;
import io.charon.core.mechanism.Change;
import io.charon.nodemanager.cgroup.CgroupVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the values written; DiskLimitKernelTest checks that the kernel accepts them. */
class DiskReadsTest {
  @TempDir private Path group;
  private final SortedMap<String, Long> rates = new TreeMap<>(Map.of("254:0", 20_000_000L));

  private DiskReads reads(CgroupVersion version) {
    return new DiskReads(group, version, () -> new TreeMap<>(rates));
  }

  private Path file(CgroupVersion version) {
    return group.resolve(version == CgroupVersion.V1 ? "blkio.throttle.read_bps_device" : "io.max");
  }

  private static Action.SetLimit share(double amount) {
    return new Action.SetLimit(
        DiskLimit.LIMIT,
        1,
        Optional.empty(),
        Change.KEEP,
        true,
        new Basis("production", Map.of(), amount, "", ""));
  }

  @Test
  void version1TakesBytesPerSecondAndZeroIsNone() throws IOException {
    Path file = Files.writeString(file(CgroupVersion.V1), "");
    DiskReads reads = reads(CgroupVersion.V1);
    assertThat(reads.unavailable()).isEmpty();
    assertThat(reads.apply(share(0.1))).isEqualTo("best-effort reads disk 254:0 at 20.0 MB/s");
    assertThat(file).hasContent("254:0 20000000");
    reads.undo();
    assertThat(file).hasContent("254:0 0");
  }

  @Test
  void version2TakesReadsAloneAndMaxIsNone() throws IOException {
    Path file = Files.writeString(file(CgroupVersion.V2), "");
    DiskReads reads = reads(CgroupVersion.V2);
    String ignored = reads.apply(share(0.1));
    assertThat(file).hasContent("254:0 rbps=20000000");
    Files.writeString(file, "254:0 rbps=20000000 wbps=max riops=max wiops=max\n");
    assertThat(reads.apply(share(1))).isEqualTo("best-effort reads without a limit");
    assertThat(file).hasContent("254:0 rbps=max");
  }

  @Test
  void limitsOfWritesBelongToOtherPrograms() throws IOException {
    String others = "254:0 rbps=max wbps=1048576 riops=max wiops=max\n";
    Path file = Files.writeString(file(CgroupVersion.V2), others);
    reads(CgroupVersion.V2).undo();
    assertThat(file).hasContent(others.strip());
  }

  @Test
  void whatAnEarlierProcessLeftIsTakenAway() throws IOException {
    Path file = Files.writeString(file(CgroupVersion.V1), "254:0 20000000\n");
    reads(CgroupVersion.V1).undo();
    assertThat(file).hasContent("254:0 0");
  }

  @Test
  void whereNoSpeedIsKnownNothingIsWritten() throws IOException {
    Path file = Files.writeString(file(CgroupVersion.V1), "");
    rates.clear();
    assertThat(reads(CgroupVersion.V1).apply(share(0.1)))
        .isEqualTo("no limit: the speed of no disk is known");
    assertThat(file).isEmptyFile();
  }

  @Test
  void anotherDiskAndAnotherSpeedCountAtOnce() throws IOException {
    Files.writeString(file(CgroupVersion.V1), "");
    DiskReads reads = reads(CgroupVersion.V1);
    String ignored = reads.apply(share(0.1));
    assertThat(reads.holds()).isTrue();
    rates.put("8:0", 4_194_304L);
    assertThat(reads.holds()).isFalse();
    assertThat(reads.apply(share(0.1)))
        .isEqualTo("best-effort reads disk 254:0 at 20.0 MB/s, disk 8:0 at 4.2 MB/s");
    assertThat(reads.holds()).isTrue();
    rates.put("254:0", 30_000_000L);
    assertThat(reads.holds()).isFalse();
  }

  @Test
  void whatCannotBeWrittenIsNamedWithTheCure() throws IOException {
    DiskReads reads = reads(CgroupVersion.V2);
    assertThat(reads.unavailable().orElseThrow()).contains("io.max", "controller io");
    reads.undo(); // the files do not exist
    assertThatThrownBy(() -> reads.apply(share(0.1))).hasMessageContaining("254:0 rbps=20000000");
  }
}
