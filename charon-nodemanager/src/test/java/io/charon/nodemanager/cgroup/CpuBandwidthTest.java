/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the files that are written on both versions, on directories that simulate cgroups. */
class CpuBandwidthTest {
  @TempDir private Path v1;
  @TempDir private Path v2;

  @BeforeEach
  void files() throws IOException {
    Files.writeString(v1.resolve("cpu.cfs_quota_us"), "-1\n");
    Files.writeString(v1.resolve("cpu.cfs_period_us"), "50000\n");
    Files.writeString(v2.resolve("cpu.max"), "max 100000\n");
  }

  @Test
  void v1HasAFileForTheQuota() throws IOException {
    CpuBandwidth cpu = new CpuBandwidth(v1, CgroupVersion.V1);
    assertThat(cpu.unavailable()).isEmpty();
    assertThat(cpu.limit(1.5)).isEqualTo("cpu.cfs_quota_us=75000");
    assertThat(v1.resolve("cpu.cfs_quota_us")).hasContent("75000");
    cpu.unlimit();
    assertThat(v1.resolve("cpu.cfs_quota_us")).hasContent("-1");
    assertThat(v1.resolve("cpu.cfs_period_us")).hasContent("50000");
  }

  @Test
  void v2HasQuotaAndPeriodInOne() throws IOException {
    CpuBandwidth cpu = new CpuBandwidth(v2, CgroupVersion.V2);
    assertThat(cpu.limit(0.4)).isEqualTo("cpu.max=40000 100000");
    assertThat(v2.resolve("cpu.max")).hasContent("40000 100000");
    cpu.unlimit();
    assertThat(v2.resolve("cpu.max")).hasContent("max 100000");
  }

  @Test
  void nothingIsTheLeastThatTheKernelCanDo() throws IOException {
    assertThat(new CpuBandwidth(v1, CgroupVersion.V1).limit(0)).isEqualTo("cpu.cfs_quota_us=1000");
  }

  @Test
  void aCgroupThatIsGoneHasNoLimit() throws IOException {
    CpuBandwidth gone = new CpuBandwidth(v1.resolve("gone"), CgroupVersion.V1);
    gone.unlimit();
    assertThat(gone.unavailable()).get().asString().contains("cpu.cfs_quota_us", "does not exist");
    assertThatThrownBy(() -> gone.limit(1)).isInstanceOf(IOException.class);
  }

  @Test
  void whateverIsWrongWithAFileIsSaid() throws IOException {
    CpuBandwidth cpu = new CpuBandwidth(v1, CgroupVersion.V1);
    Path period = v1.resolve("cpu.cfs_period_us");
    Files.writeString(period, "soon\n");
    assertThatThrownBy(() -> cpu.limit(1))
        .hasMessage(period + " holds 'soon', which is not a period");
    Files.delete(period);
    assertThatThrownBy(() -> cpu.limit(1)).hasMessageContaining("cannot read " + period);
    Files.writeString(period, "100000");
    Path quota = v1.resolve("cpu.cfs_quota_us");
    Files.delete(quota);
    Files.createDirectory(quota); // equivalent to read-only, even for root
    assertThatThrownBy(() -> cpu.limit(1)).hasMessageContaining(quota.toString());
    assertThatThrownBy(cpu::unlimit)
        .hasMessageContaining("to remove it: echo -1 > " + quota)
        .hasMessageContaining(quota.toString());
  }
}
