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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Properties;

/**
 * How much longer work takes when memory in use does not fit, one curve for anonymous and one for
 * file pages. The shipped points are measurements: see {@code thrash-model.properties}.
 *
 * @param anonymous the curve of anonymous pages
 * @param file the curve of file pages
 */
public record ThrashModel(Curve anonymous, Curve file) {
  private static final String RESOURCE = "thrash-model.properties";

  /**
   * A measured point.
   *
   * @param ratio memory in use over memory to be had, at least 1
   * @param slowdown time over time without pressure, at least 1
   * @param nanosPerFault time for which one refault holds a task up, positive
   */
  public record Point(double ratio, double slowdown, double nanosPerFault) {
    /** Checks the ranges. */
    public Point {
      if (!(ratio >= 1 && slowdown >= 1 && nanosPerFault > 0)) {
        throw new IllegalArgumentException(
            "a point of the thrash model needs a ratio and a slowdown of at least 1 and a positive"
                + " time per fault, got %s, %s, %s".formatted(ratio, slowdown, nanosPerFault));
      }
    }
  }

  /**
   * Slowdown over the ratio, linear between points and on beyond the last.
   *
   * @param points at least two, ratios increasing, the first at ratio 1
   */
  public record Curve(List<Point> points) {
    /** Checks the order. */
    public Curve {
      points = List.copyOf(points);
      if (points.size() < 2 || points.get(0).ratio() != 1) {
        throw new IllegalArgumentException("a thrash curve needs ratio 1 and one more point");
      }
      for (int i = 1; i < points.size(); i++) {
        if (points.get(i).ratio() <= points.get(i - 1).ratio()) {
          throw new IllegalArgumentException("the ratios of a thrash curve must increase");
        }
      }
    }

    /** How much longer work takes at a ratio; 1 where everything fits. */
    public double slowdown(double ratio) {
      if (ratio <= 1) {
        return 1;
      }
      int next = next(ratio);
      Point low = points.get(next - 1);
      Point high = points.get(next);
      double share = (ratio - low.ratio()) / (high.ratio() - low.ratio());
      return Math.max(1, low.slowdown() + share * (high.slowdown() - low.slowdown()));
    }

    /** Time for which a refault holds a task up, of the measured point at or above a ratio. */
    public double nanosPerFault(double ratio) {
      return points.get(next(ratio)).nanosPerFault();
    }

    private int next(double ratio) {
      int next = 1;
      while (next < points.size() - 1 && points.get(next).ratio() < ratio) {
        next++;
      }
      return next;
    }
  }

  /** Checks that both curves are there. */
  public ThrashModel {
    Objects.requireNonNull(anonymous, "anonymous");
    Objects.requireNonNull(file, "file");
  }

  /** The curves that ship with the simulator. */
  public static ThrashModel measured() {
    Properties properties = new Properties();
    try (InputStream in =
        Objects.requireNonNull(ThrashModel.class.getResourceAsStream(RESOURCE), RESOURCE)) {
      properties.load(new InputStreamReader(in, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(RESOURCE, e);
    }
    return new ThrashModel(curve(properties, "anonymous"), curve(properties, "file"));
  }

  private static Curve curve(Properties properties, String name) {
    double[] ratios = numbers(properties, name + ".ratio");
    double[] slowdowns = numbers(properties, name + ".slowdown");
    double[] nanos = numbers(properties, name + ".nanos-per-fault");
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < ratios.length; i++) {
      points.add(new Point(ratios[i], slowdowns[i], nanos[i]));
    }
    return new Curve(points);
  }

  private static double[] numbers(Properties properties, String key) {
    String value = Objects.requireNonNull(properties.getProperty(key), key);
    return Arrays.stream(value.trim().split(" +")).mapToDouble(Double::parseDouble).toArray();
  }
}
