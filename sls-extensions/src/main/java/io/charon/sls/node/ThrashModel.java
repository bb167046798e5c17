/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.node;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Properties;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * The slowdown of work when memory in use does not fit, with one curve for anonymous pages and one
 * for file pages. The shipped points are measurements of {@code charon bench thrash-model} with a
 * task that uses all of its pages equally, at random, and computes about 4 microseconds after each
 * access: see {@code thrash-model.properties} and {@code docs/benchmarks.md}.
 *
 * @param anonymous the curve of anonymous pages
 * @param file the curve of file pages
 */
public record ThrashModel(Curve anonymous, Curve file) {
  private static final String RESOURCE = "thrash-model.properties";

  /**
   * A measured point.
   *
   * @param ratio memory in use divided by available memory, at least 1
   * @param slowdown time divided by the time without pressure, at least 1
   * @param nanosPerFault time for which one refault delays a task, positive
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
   * The slowdown as a function of the ratio. It is linear in the share of pages that do not fit,
   * between points and beyond the last one: a task that uses all of its pages equally loses one
   * fault for each such page, so its loss is bounded even if no page is resident.
   *
   * @param points at least two, with increasing ratios, the first at ratio 1
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

    /** Returns the slowdown at a ratio, which may be infinite; 1 if everything fits. */
    public double slowdown(double ratio) {
      if (ratio <= 1) {
        return 1;
      }
      int next = next(ratio);
      Point low = points.get(next - 1);
      Point high = points.get(next);
      double share =
          (missing(ratio) - missing(low.ratio())) / (missing(high.ratio()) - missing(low.ratio()));
      return Math.max(1, low.slowdown() + share * (high.slowdown() - low.slowdown()));
    }

    private static double missing(double ratio) {
      return 1 - 1 / ratio;
    }

    /**
     * Returns the delay of a task by one refault, at the first measured point at or above a ratio,
     * else at the last.
     */
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

  /** Returns the curves that ship with the simulator. */
  public static ThrashModel measured() {
    try (Reader in =
        new InputStreamReader(
            Objects.requireNonNull(ThrashModel.class.getResourceAsStream(RESOURCE), RESOURCE),
            StandardCharsets.UTF_8)) {
      return read(in);
    } catch (IOException e) {
      throw new UncheckedIOException(RESOURCE, e);
    }
  }

  /**
   * Reads curves in the format of {@code thrash-model.properties}.
   *
   * @throws IOException if they cannot be read
   * @throws IllegalArgumentException if a value is missing or out of its range
   */
  static ThrashModel read(Reader in) throws IOException {
    Properties properties = new Properties();
    properties.load(in);
    return new ThrashModel(curve(properties, "anonymous"), curve(properties, "file"));
  }

  /** Returns the curves in the format of {@code thrash-model.properties}, without comments. */
  public String toProperties() {
    return lines("anonymous", anonymous) + lines("file", file);
  }

  private static String lines(String name, Curve curve) {
    return line(name + ".ratio", "%.2f", curve, Point::ratio)
        + line(name + ".slowdown", "%.2f", curve, Point::slowdown)
        + line(name + ".nanos-per-fault", "%.0f", curve, Point::nanosPerFault);
  }

  private static String line(
      String key, String format, Curve curve, ToDoubleFunction<Point> value) {
    return curve.points().stream()
        .map(point -> String.format(Locale.ROOT, format, value.applyAsDouble(point)))
        .collect(Collectors.joining(" ", key + " = ", "\n"));
  }

  private static Curve curve(Properties properties, String name) {
    double[] ratios = numbers(properties, name + ".ratio");
    double[] slowdowns = numbers(properties, name + ".slowdown");
    double[] nanos = numbers(properties, name + ".nanos-per-fault");
    if (slowdowns.length != ratios.length || nanos.length != ratios.length) {
      throw new IllegalArgumentException("the lists of curve " + name + " differ in length");
    }
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < ratios.length; i++) {
      points.add(new Point(ratios[i], slowdowns[i], nanos[i]));
    }
    return new Curve(points);
  }

  private static double[] numbers(Properties properties, String key) {
    String value = properties.getProperty(key);
    if (value == null) {
      throw new IllegalArgumentException("no " + key);
    }
    return Arrays.stream(value.trim().split(" +")).mapToDouble(Double::parseDouble).toArray();
  }
}
