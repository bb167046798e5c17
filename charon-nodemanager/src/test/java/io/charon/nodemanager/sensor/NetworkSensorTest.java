/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.charon.core.mechanism.Measurement;
import io.charon.core.mechanism.ResourceUse;
import io.charon.nodemanager.network.NetworkDevice;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.OptionalDouble;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the sensor with a directory that simulates sysfs. */
class NetworkSensorTest {
  private static final long SECOND = 1_000_000_000L;

  @TempDir private Path sys;
  private NetworkDevice device;
  private NetworkSensor sensor;

  @BeforeEach
  void setUp() throws IOException {
    device = new NetworkDevice(sys, "eth0");
    sensor = new NetworkSensor(device, OptionalDouble.empty());
    make("eth0", 7, 1000);
  }

  private void make(String name, int index, long sent) throws IOException {
    Path directory = sys.resolve("class/net").resolve(name);
    Files.createDirectories(directory.resolve("statistics"));
    Files.writeString(directory.resolve("ifindex"), index + "\n");
    Files.writeString(directory.resolve("speed"), "10000\n");
    sent(name, sent);
  }

  private void sent(String name, long bytes) throws IOException {
    Files.writeString(device.sentBytes(name), bytes + "\n");
  }

  private void remove(String name) throws IOException {
    Files.walkFileTree(
        sys.resolve("class/net").resolve(name),
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, IOException failure)
              throws IOException {
            Files.delete(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private static double value(Measurement measurement) {
    assertThat(measurement.missing()).isEmpty();
    return measurement.value().orElseThrow();
  }

  @Test
  void allIsTheForegroundsUntilBestEffortIsToldApart() throws IOException {
    assertThat(sensor.read(0).foreground().missing()).contains("a rate needs two readings");
    sent("eth0", 4000);
    ResourceUse use = sensor.read(SECOND);
    assertThat(value(use.foreground())).isEqualTo(3000, within(0.001));
    assertThat(use.bestEffort().missing().orElseThrow()).contains("while it is limited");
    assertThat(value(use.capacity())).isEqualTo(1.25e9);
  }

  @Test
  void theForegroundIsWhatTheShaperDidNotSend() throws IOException {
    make("charon-be7", 9, 0);
    sensor.read(0);
    sent("charon-be7", 600);
    sent("eth0", 3000);
    ResourceUse use = sensor.read(2 * SECOND);
    assertThat(value(use.bestEffort())).isEqualTo(300, within(0.001));
    assertThat(value(use.foreground())).isEqualTo(700, within(0.001));
  }

  @Test
  void aShaperThatAppearsCountsFromItsFirstByte() throws IOException {
    sensor.read(0);
    make("charon-be7", 9, 400);
    sent("eth0", 2000);
    ResourceUse use = sensor.read(SECOND);
    assertThat(value(use.bestEffort())).isEqualTo(400, within(0.001));
    assertThat(value(use.foreground())).isEqualTo(600, within(0.001));
  }

  @Test
  void countersThatFallAreMissingOnce() throws IOException {
    make("charon-be7", 9, 500);
    sensor.read(0);
    sent("eth0", 2000);
    sent("charon-be7", 100);
    ResourceUse use = sensor.read(SECOND);
    assertThat(use.bestEffort().isPresent()).isFalse();
    assertThat(use.foreground().isPresent()).isFalse();
    sent("eth0", 3000);
    sent("charon-be7", 400);
    assertThat(value(sensor.read(2 * SECOND).foreground())).isEqualTo(700, within(0.001));
  }

  @Test
  void aDeviceThatVanishesIsNamedAndFoundAgain() throws IOException {
    sensor.read(0);
    remove("eth0");
    assertThat(sensor.read(SECOND).foreground().missing().orElseThrow())
        .isEqualTo("there is no network device eth0");
    make("eth0", 8, 5_000_000); // another device of the same name, without a previous count
    assertThat(sensor.read(2 * SECOND).foreground().isPresent()).isFalse();
    make("charon-be8", 12, 0);
    sent("eth0", 5_001_000);
    sent("charon-be8", 250);
    assertThat(value(sensor.read(3 * SECOND).foreground())).isEqualTo(750, within(0.001));
  }

  @Test
  void whatAReadingOfAnotherInstantCountsMoreIsNotNegative() throws IOException {
    make("charon-be7", 9, 0);
    sensor.read(0);
    sent("charon-be7", 600);
    sent("eth0", 1500);
    assertThat(value(sensor.read(SECOND).foreground())).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1\n", "", "fast"})
  void anUnknownSpeedIsMissingWithTheKeyToSet(String speed) throws IOException {
    Files.writeString(device.speed(), speed);
    assertThat(sensor.read(0).capacity().missing().orElseThrow()).contains("network.link-mbit");
    NetworkSensor configured = new NetworkSensor(device, OptionalDouble.of(5e6));
    assertThat(value(configured.read(0).capacity())).isEqualTo(5e6);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", ".", "..", "a/b", "../eth0", "sixteen-letters-", "a b", "eth0\n", "ä"})
  void whatIsNoNameIsRefused(String name) {
    assertThatThrownBy(() -> new NetworkDevice(sys, name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 to 15");
  }

  @Test
  void theDefaultRouteNamesTheDevice() throws IOException {
    Files.createDirectories(sys.resolve("net"));
    Path route = sys.resolve("net/route");
    assertThat(NetworkDevice.ofDefaultRoute(sys, sys)).isEmpty();
    Files.writeString(
        route,
        """
        Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
        docker0\t000011AC\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0
        short\t00000000
        ens5.100\t00000000\t0101A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0
        """);
    assertThat(NetworkDevice.ofDefaultRoute(sys, sys)).contains(new NetworkDevice(sys, "ens5.100"));
    Files.writeString(route, "Iface\tDestination\n");
    assertThat(NetworkDevice.ofDefaultRoute(sys, sys)).isEmpty();
  }
}
