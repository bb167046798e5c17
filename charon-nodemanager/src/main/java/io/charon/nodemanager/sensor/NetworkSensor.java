/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.core.law.CounterRate;
import io.charon.core.mechanism.Measurement;
import io.charon.core.mechanism.ResourceUse;
import io.charon.nodemanager.cgroup.PseudoFile;
import io.charon.nodemanager.network.NetworkDevice;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.util.OptionalDouble;

/**
 * Reads the traffic sent through one network device. Best-effort's share is the traffic that its
 * shaper passed back to the device; the rest is the foreground's. While there is no shaper, all
 * traffic counts as the foreground's.
 *
 * <p>Both are bytes as the kernel passes them to a driver. A network card that splits long packets
 * and counts the headers of each part reports up to 4.5 % more for the same bytes; that part of
 * best-effort's traffic then counts as the foreground's.
 */
public final class NetworkSensor implements Closeable {
  private static final double BYTES_PER_MEGABIT = 125_000;

  private final NetworkDevice device;
  private final OptionalDouble linkBytesPerSecond;
  private int index = -1;
  private PseudoFile sent;
  private PseudoFile sentByBestEffort;
  private CounterRate rate;
  private CounterRate bestEffortRate;

  /**
   * Creates a sensor that keeps its files open until it is closed.
   *
   * @param device the device to watch
   * @param linkBytesPerSecond bandwidth of the link; empty: as reported by the driver
   */
  public NetworkSensor(NetworkDevice device, OptionalDouble linkBytesPerSecond) {
    this.device = device;
    this.linkBytesPerSecond = linkBytesPerSecond;
  }

  /**
   * Returns the bytes per second sent since the previous reading.
   *
   * @param nanos time of the reading on a monotonic clock with any origin
   * @return missing values at the first reading, after the device vanished or was created anew, and
   *     after a counter was reset
   */
  public ResourceUse read(long nanos) {
    try {
      follow(device.index());
      boolean shaped = device.isShaped(index);
      // The shaper is read first, so that the device's count includes the bytes that it passed
      // back.
      double bestEffort = shaped ? count(sentByBestEffort) : 0;
      OptionalDouble ofBestEffort = bestEffortRate.read(nanos, bestEffort);
      OptionalDouble ofAll = rate.read(nanos, count(sent));
      return new ResourceUse(
          measurement(ofAll).minus(measurement(ofBestEffort)),
          shaped
              ? measurement(ofBestEffort)
              : Measurement.missing("best-effort's traffic is measured only while it is limited"),
          capacity());
    } catch (IOException e) {
      return ResourceUse.missing(e.getMessage());
    }
  }

  /**
   * Opens the files of a device that was created anew, which counts from 0 and has its own shaper.
   */
  private void follow(int present) throws IOException {
    if (present != index) {
      close();
      index = present;
      sent = new PseudoFile(device.sentBytes(device.name()));
      sentByBestEffort = new PseudoFile(device.sentBytes(NetworkDevice.shaper(present)));
      rate = new CounterRate();
      bestEffortRate = new CounterRate();
    }
  }

  private static double count(PseudoFile counter) throws IOException {
    counter.read();
    return counter.number();
  }

  private static Measurement measurement(OptionalDouble rate) {
    return rate.isPresent()
        ? Measurement.of(rate.getAsDouble())
        : Measurement.missing("a rate needs two readings");
  }

  private Measurement capacity() {
    if (linkBytesPerSecond.isPresent()) {
      return Measurement.of(linkBytesPerSecond.getAsDouble());
    }
    String unknown =
        "the driver of "
            + device.name()
            + " does not report the speed of the link: set"
            + " yarn.nodemanager.charon.regulator.network.link-mbit";
    try {
      double megabits = Double.parseDouble(Files.readString(device.speed()).strip());
      return megabits > 0
          ? Measurement.of(megabits * BYTES_PER_MEGABIT)
          : Measurement.missing(unknown);
    } catch (IOException | NumberFormatException e) {
      return Measurement.missing(unknown);
    }
  }

  @Override
  public void close() throws IOException {
    if (sent != null) {
      sent.close();
      sentByBestEffort.close();
    }
  }
}
