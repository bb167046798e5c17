/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.charon.core.mechanism.ContainerBandwidths.Bandwidth;
import io.charon.core.mechanism.ContainerBandwidths.Burst;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the order in which quota, period and burst are written, on simulated kernels that refuse
 * what real ones refuse.
 */
class CpuBandwidthChangeTest {
  private static final Bandwidth FOUND = new Bandwidth(20_000, 100_000, 0);
  private static final Bandwidth BUCKET = new Bandwidth(100_000, 500_000, 100_000);

  @TempDir private Path cgroup;
  private final List<String> written = new ArrayList<>();
  private boolean beyondQuota;
  private boolean noQuota;

  private CpuBandwidth v1() throws IOException {
    Files.writeString(cgroup.resolve("cpu.cfs_quota_us"), "20000\n");
    Files.writeString(cgroup.resolve("cpu.cfs_period_us"), "100000\n");
    Files.writeString(cgroup.resolve("cpu.cfs_burst_us"), "0\n");
    return new CpuBandwidth(cgroup, CgroupVersion.V1, this::kernel);
  }

  private CpuBandwidth v2() throws IOException {
    Files.writeString(cgroup.resolve("cpu.max"), "20000 100000\n");
    Files.writeString(cgroup.resolve("cpu.max.burst"), "0\n");
    return new CpuBandwidth(cgroup, CgroupVersion.V2, this::kernel);
  }

  /**
   * Simulates a parent with the same share as the child, so that a larger share is refused (version
   * 1).
   */
  private void kernel(Path file, String value) throws IOException {
    String before = Files.readString(file);
    String name = file.getFileName().toString();
    if (noQuota && name.equals("cpu.cfs_quota_us")) {
      throw new IOException("Invalid argument");
    }
    Files.writeString(file, value);
    boolean v1 = Files.exists(cgroup.resolve("cpu.cfs_quota_us"));
    Bandwidth now =
        new CpuBandwidth(cgroup, v1 ? CgroupVersion.V1 : CgroupVersion.V2).read().orElseThrow();
    boolean refused =
        (now.burstMicros() > now.quotaMicros() && !beyondQuota)
            || (v1 && now.cores() > FOUND.cores());
    if (refused) {
      Files.writeString(file, before);
      throw new IOException("Invalid argument");
    }
    written.add(name + "=" + value);
  }

  @Test
  void v1WidensPeriodQuotaBurstAndTakesBackTheOtherWayRound() throws IOException {
    CpuBandwidth cpu = v1();
    assertThat(cpu.change(FOUND, BUCKET))
        .isEqualTo("cpu.cfs_period_us=500000 cpu.cfs_quota_us=100000 cpu.cfs_burst_us=100000");
    assertThat(cpu.read()).contains(BUCKET);
    written.clear();
    cpu.change(BUCKET, FOUND);
    assertThat(written)
        .containsExactly(
            "cpu.cfs_burst_us=0", "cpu.cfs_quota_us=20000", "cpu.cfs_period_us=100000");
    assertThat(cpu.read()).contains(FOUND);
  }

  @Test
  void aQuotaThatIsTakenAwayLeavesPeriodAndBurstOfBefore() throws IOException {
    Files.writeString(cgroup.resolve("cpu.cfs_quota_us"), "100000\n");
    Files.writeString(cgroup.resolve("cpu.cfs_period_us"), "500000\n");
    Files.writeString(cgroup.resolve("cpu.cfs_burst_us"), "100000\n");
    new CpuBandwidth(cgroup, CgroupVersion.V1).unlimit(100_000, 0);
    assertThat(cgroup.resolve("cpu.cfs_quota_us")).content().isEqualTo("-1");
    assertThat(cgroup.resolve("cpu.cfs_period_us")).content().isEqualTo("100000");
    assertThat(cgroup.resolve("cpu.cfs_burst_us")).content().isEqualTo("0");

    Files.writeString(cgroup.resolve("cpu.max"), "100000 500000\n");
    Files.writeString(cgroup.resolve("cpu.max.burst"), "100000\n");
    new CpuBandwidth(cgroup, CgroupVersion.V2).unlimit(100_000, 0);
    assertThat(cgroup.resolve("cpu.max")).content().isEqualTo("max 100000");
    assertThat(cgroup.resolve("cpu.max.burst")).content().isEqualTo("0");

    new CpuBandwidth(cgroup.resolve("gone"), CgroupVersion.V2).unlimit(100_000, 0);
  }

  @Test
  void aShareHasThePortionsThatAreThere() throws IOException {
    CpuBandwidth cpu = v1();
    assertThat(cpu.of(0.5)).isEqualTo(new Bandwidth(50_000, 100_000, 0));
    assertThat(cpu.of(0)).as("the kernel's least").isEqualTo(new Bandwidth(1000, 100_000, 0));
    Files.writeString(cgroup.resolve("cpu.cfs_burst_us"), "20000\n");
    assertThat(cpu.of(0.1))
        .as("no burst above it")
        .isEqualTo(new Bandwidth(10_000, 100_000, 10_000));
    Files.writeString(cgroup.resolve("cpu.cfs_quota_us"), "-1\n");
    assertThat(cpu.of(2).quotaMicros()).isEqualTo(200_000);
    Files.writeString(cgroup.resolve("cpu.cfs_burst_us"), "?\n");
    assertThatThrownBy(() -> cpu.of(2))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cpu.cfs_burst_us holds '?', which is not a burst");
  }

  @Test
  void v2WritesQuotaAndPeriodAtOnceAndTheBurstOnTheSaferSideOfThem() throws IOException {
    CpuBandwidth cpu = v2();
    cpu.change(FOUND, BUCKET);
    cpu.change(BUCKET, FOUND);
    assertThat(written)
        .containsExactly(
            "cpu.max=100000 500000",
            "cpu.max.burst=100000",
            "cpu.max.burst=0",
            "cpu.max=20000 100000");
    assertThat(cpu.read()).contains(FOUND);
  }

  @Test
  void aKernelThatTakesMoreThanTheQuotaKeepsThePeriod() throws IOException {
    beyondQuota = true;
    CpuBandwidth cpu = v1();
    Bandwidth large = new Bandwidth(20_000, 100_000, 200_000);
    cpu.change(FOUND, large);
    assertThat(written).containsExactly("cpu.cfs_burst_us=200000");
    assertThat(cpu.read()).contains(large);
  }

  @Test
  void aBurstThatIsRefusedLeavesTheLongPeriod() throws IOException {
    CpuBandwidth cpu = v1();
    assertThatThrownBy(() -> cpu.change(FOUND, new Bandwidth(100_000, 500_000, 200_000)))
        .hasMessageContaining("cannot write 200000 into " + cgroup.resolve("cpu.cfs_burst_us"))
        .hasMessageContaining("already written: cpu.cfs_period_us=500000 cpu.cfs_quota_us=100000");
    assertThat(cpu.read()).contains(new Bandwidth(100_000, 500_000, 0));
  }

  /** With the long period but the old quota, the share would be a fifth. */
  @Test
  void aQuotaThatIsRefusedLeavesTheShare() throws IOException {
    noQuota = true;
    CpuBandwidth cpu = v1();
    assertThatThrownBy(() -> cpu.change(FOUND, BUCKET)).isInstanceOf(IOException.class);
    assertThat(cpu.read()).contains(FOUND);
  }

  @Test
  void aContainerWithoutAQuotaOrThatHasEndedHasNoBandwidth() throws IOException {
    CpuBandwidth old = v1();
    assertThat(new CpuBandwidth(cgroup.resolve("gone"), CgroupVersion.V1).read()).isEmpty();
    Files.writeString(cgroup.resolve("cpu.cfs_quota_us"), "-1\n");
    assertThat(old.read()).isEmpty();
    CpuBandwidth v2 = v2();
    Files.delete(cgroup.resolve("cpu.max.burst"));
    assertThat(v2.read()).as("Linux before 5.14").contains(FOUND);
    Files.writeString(cgroup.resolve("cpu.max"), "max 100000\n");
    assertThat(v2.read()).isEmpty();
    Files.writeString(cgroup.resolve("cpu.max"), "20000\n");
    assertThatThrownBy(v2::read).hasMessageContaining("holds an unknown value '20000'");
  }

  @Test
  void theKernelIsAskedOnceByACgroupThatGoesAgain() throws IOException {
    v1();
    assertThat(CpuBandwidth.probe(cgroup, CgroupVersion.V1, this::kernel))
        .isEqualTo(Burst.UP_TO_QUOTA);
    assertThat(written).containsExactly("cpu.cfs_quota_us=1000", "cpu.cfs_burst_us=1000");
    beyondQuota = true;
    assertThat(CpuBandwidth.probe(cgroup, CgroupVersion.V1, this::kernel))
        .isEqualTo(Burst.BEYOND_QUOTA);
    Files.delete(cgroup.resolve("cpu.cfs_burst_us"));
    assertThat(CpuBandwidth.probe(cgroup, CgroupVersion.V1, this::kernel)).isEqualTo(Burst.NONE);
    Path missing = cgroup.resolve("a/b");
    assertThat(CpuBandwidth.probe(missing, CgroupVersion.V1)).isEqualTo(Burst.UP_TO_QUOTA);
    assertThat(missing).doesNotExist();
  }
}
