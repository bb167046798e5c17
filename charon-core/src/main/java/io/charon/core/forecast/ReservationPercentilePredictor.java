/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.forecast;

import java.util.HashMap;
import java.util.Map;

/**
 * Keeps the sum over all containers of a high percentile of each container's use in the last day
 * (Bashir et al., "Take it to the limit", EuroSys'21, the predictor after Resource Central). The
 * percentile is relative to the reservation. For a new container, the whole reservation is kept.
 */
public final class ReservationPercentilePredictor implements UsePredictor {
  /** The percentile, as a share (EuroSys'21). */
  public static final double SHARE = 0.99;

  /** With fewer samples, two hours, a container counts with its reservation (EuroSys'21). */
  private static final int KNOWN_SAMPLES = 24;

  private final double share;
  private final Map<String, SlidingPercentile> ratios = new HashMap<>();
  private double kept = 1;

  /** Creates a predictor with the percentile of the paper. */
  public ReservationPercentilePredictor() {
    this(SHARE);
  }

  /**
   * Creates a predictor with another percentile.
   *
   * @param share the percentile as a share, 0 to 1
   */
  public ReservationPercentilePredictor(double share) {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException("share must be 0 to 1, was " + share);
    }
    this.share = share;
  }

  @Override
  public void add(UseSample sample) {
    double sum = 0;
    for (ContainerUse container : sample.containers()) {
      SlidingPercentile own =
          ratios.computeIfAbsent(
              container.container(), name -> new SlidingPercentile(UseSample.PER_DAY));
      own.add(container.use() / container.request());
      sum += container.request() * (own.size() < KNOWN_SAMPLES ? 1 : Math.min(1, own.at(share)));
    }
    double reserved = sample.reserved();
    kept = reserved == 0 ? 1 : sum / reserved;
    if (ratios.size() > sample.containers().size()) {
      ratios.keySet().retainAll(sample.containers().stream().map(ContainerUse::container).toList());
    }
  }

  @Override
  public double keptShare() {
    return kept;
  }
}
