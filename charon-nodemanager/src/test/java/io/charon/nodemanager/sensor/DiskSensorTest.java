/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.charon.core.law.disklimit.Disk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskSensorTest {
  private static final long SECOND = 1_000_000_000L;

  @TempDir private Path root;
  private DiskSensor sensor;

  @BeforeEach
  void aMachineWithTwoDisksAndWhatIsBuiltOfThem() throws IOException {
    for (String disk : new String[] {"sda", "nvme0n1"}) {
      Files.createDirectories(root.resolve("sys/block").resolve(disk).resolve("device"));
    }
    for (String other : new String[] {"dm-0", "loop0", "md127"}) {
      Files.createDirectories(root.resolve("sys/block").resolve(other));
    }
    Files.createDirectories(root.resolve("proc"));
    sensor = new DiskSensor(root.resolve("proc"), root.resolve("sys"));
  }

  /** Writes the counters: old kernels have 11 numbers after the name, newer ones 17. */
  private void counters(long sectors, long busyMillis) throws IOException {
    Files.writeString(
        root.resolve("proc/diskstats"),
        """
           7       0 loop0 9 0 %1$d 9 0 0 0 0 0 %2$d 9
           8       0 sda 9 0 %1$d 9 0 0 0 0 0 %2$d 9
           8       1 sda1 9 0 %1$d 9 0 0 0 0 0 %2$d 9
         259       0 nvme0n1 9 0 0 9 0 0 0 0 0 0 9 0 0 0 0 0 0
         253       0 dm-0 9 0 %1$d 9 0 0 0 0 0 %2$d 9
           9     127 md127
        """
            .formatted(sectors, busyMillis));
  }

  @Test
  void disksAreWhatHasADeviceNeitherPartitionsNorWhatIsBuiltOfThem() throws IOException {
    counters(0, 0);
    assertThat(sensor.read(0).all()).extracting(Disk::name).containsExactly("sda", "nvme0n1");
  }

  @Test
  void sectorsOf512BytesMakeTheSpeed() throws IOException {
    counters(1_000_000, 10_000);
    assertThat(sensor.read(0).all().get(0).speedBytesPerSecond()).isEmpty();
    counters(1_200_000, 10_900);
    Disk sda = sensor.read(SECOND).all().get(0);
    assertThat(sda.number()).isEqualTo("8:0");
    assertThat(sda.speedBytesPerSecond()).hasValue(102_400_000);
    assertThat(sda.busy()).isTrue();
    assertThat(sensor.read(SECOND).all().get(1).speedBytesPerSecond()).isEmpty();
  }

  @Test
  void unreadableFilesAreNamed() throws IOException {
    assertThatThrownBy(() -> sensor.read(0)).hasMessageContaining("diskstats");
    Files.writeString(root.resolve("proc/diskstats"), "8 0 sda 9 0 many 9 0 0 0 0 0 9 9\n");
    assertThatThrownBy(() -> sensor.read(0)).hasMessageContaining("sda 9 0 many");
  }
}
