/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.node;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Properties;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * The time from the decision to kill a container until its memory is free: the killer needs time to
 * send the signals, and the kernel needs time to free the memory.
 *
 * @param signalMillis time until all signals are sent, milliseconds
 * @param releaseMillisPerMebibyte time from then until the memory is free, milliseconds per MiB
 */
public record KillDelay(Quantiles signalMillis, Quantiles releaseMillisPerMebibyte) {
  private static final String SIGNAL = ".signal-millis";
  private static final String RELEASE = ".release-millis-per-mebibyte";
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double MEBIBYTE = 1 << 20;

  /**
   * A distribution that is linear between known quantiles.
   *
   * @param points pairs of quantile (0 to 1) and value, in increasing order, the first of quantile
   *     0 and the last of 1
   */
  public record Quantiles(List<Point> points) {
    /** One known quantile. */
    public record Point(double quantile, double value) {}

    /** Checks the order. */
    public Quantiles {
      points = List.copyOf(points);
      if (points.size() < 2
          || points.get(0).quantile() != 0
          || points.get(points.size() - 1).quantile() != 1) {
        throw new IllegalArgumentException("quantiles must go from 0 to 1");
      }
      for (int i = 1; i < points.size(); i++) {
        if (points.get(i).quantile() <= points.get(i - 1).quantile()
            || points.get(i).value() < points.get(i - 1).value()) {
          throw new IllegalArgumentException("quantiles must increase");
        }
      }
    }

    double draw(RandomGenerator random) {
      double at = random.nextDouble();
      int next = 1;
      while (points.get(next).quantile() < at) {
        next++;
      }
      Point low = points.get(next - 1);
      Point high = points.get(next);
      double share = (at - low.quantile()) / (high.quantile() - low.quantile());
      return low.value() + share * (high.value() - low.value());
    }

    /** Returns the {@code percent:value} pairs. */
    String text() {
      return points.stream()
          .map(
              point ->
                  String.format(Locale.ROOT, "%.0f:%.3f", point.quantile() * 100, point.value()))
          .collect(Collectors.joining(" "));
    }

    /** Parses {@code percent:value} pairs. */
    static Quantiles parse(String text) {
      return new Quantiles(
          Arrays.stream(text.trim().split(" +"))
              .map(pair -> pair.split(":"))
              .map(
                  pair -> new Point(Double.parseDouble(pair[0]) / 100, Double.parseDouble(pair[1])))
              .toList());
    }
  }

  /** The source of the distributions. */
  public enum Profile {
    /** Measured with this project's killer and with user-space killers; the default. */
    MEASURED("kill-delays-measured.properties"),
    /** From the paper: below 20 ms in the kernel, up to 2.7 s from user space. */
    PAPER("kill-delays-paper.properties");

    private final String resource;

    Profile(String resource) {
      this.resource = resource;
    }
  }

  /** The kind of killer. */
  public enum Tier {
    /** The kernel UA killer. */
    KERNEL("kernel"),
    /** A process that polls and signals. */
    USER_SPACE("user-space");

    private final String key;

    Tier(String key) {
      this.key = key;
    }

    /** Returns the name of the tier in a profile. */
    public String key() {
      return key;
    }
  }

  /** Checks that both parts are there. */
  public KillDelay {
    Objects.requireNonNull(signalMillis, "signalMillis");
    Objects.requireNonNull(releaseMillisPerMebibyte, "releaseMillisPerMebibyte");
  }

  /** Returns distributions that ship with the simulator. */
  public static KillDelay of(Profile profile, Tier tier) {
    Properties properties = new Properties();
    try (InputStream in =
        Objects.requireNonNull(
            KillDelay.class.getResourceAsStream(profile.resource), profile.resource)) {
      properties.load(new InputStreamReader(in, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(profile.resource, e);
    }
    return of(properties, tier);
  }

  static KillDelay of(Properties properties, Tier tier) {
    return new KillDelay(
        Quantiles.parse(properties.getProperty(tier.key() + SIGNAL)),
        Quantiles.parse(properties.getProperty(tier.key() + RELEASE)));
  }

  /** Returns the two lines of a profile that hold these distributions. */
  public String toProperties(Tier tier) {
    return "%s%s = %s\n%s%s = %s\n"
        .formatted(
            tier.key(),
            SIGNAL,
            signalMillis.text(),
            tier.key(),
            RELEASE,
            releaseMillisPerMebibyte.text());
  }

  /** Draws a delay for a container of the given size, in nanoseconds. */
  public long drawNanos(RandomGenerator random, long memoryBytes) {
    double millis =
        signalMillis.draw(random)
            + releaseMillisPerMebibyte.draw(random) * (memoryBytes / MEBIBYTE);
    return Math.round(millis * NANOS_PER_MILLI);
  }
}
