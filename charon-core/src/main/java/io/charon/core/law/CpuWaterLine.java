/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.Availability;
import io.charon.core.mechanism.Limit;
import io.charon.core.mechanism.Measurement;
import io.charon.core.mechanism.Mechanism;
import io.charon.core.mechanism.MechanismReport;
import io.charon.core.mechanism.MechanismReport.Quantity;
import io.charon.core.mechanism.NodeReading;
import io.charon.core.mechanism.Reading;
import io.charon.core.mechanism.Snapshot;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Limits the CPU quota of best-effort by the water line ({@link WaterLineRegulator}). The law of
 * the foreground's health limits the same quota; the stricter of both applies.
 */
public final class CpuWaterLine implements Mechanism {
  /** The name in keys, metrics, status and audit log. */
  public static final String NAME = "cpu-water-line";

  private static final String CORES = "cores";

  private record Decided(Suppression suppression, OptionalDouble bestEffort) {}

  private final WaterLine line;
  private final WaterLineRegulator law;
  private double capacity;
  private volatile Optional<String> missing = Optional.empty();
  private volatile boolean everMeasured;
  private volatile Optional<Decided> last = Optional.empty();

  /**
   * Creates a mechanism without observations.
   *
   * @param line the water line below which best-effort stays
   * @param quota the settings of the law of the foreground's health, whose minimum and window apply
   */
  public CpuWaterLine(WaterLine line, CpuQuotaSettings quota) {
    this.line = line;
    this.law = new WaterLineRegulator(line, quota.minimumCores(), quota.range());
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Availability availability() {
    return new Availability(everMeasured ? Optional.empty() : missing);
  }

  @Override
  public Set<Class<? extends Reading>> needs() {
    return Set.of(NodeReading.class);
  }

  @Override
  public Set<Limit> limits() {
    return Set.of(Limit.CPU_QUOTA);
  }

  @Override
  public List<Action> decide(Snapshot seen) {
    NodeReading node = seen.get(NodeReading.class);
    int usable = node.cores().usable().count();
    capacity = usable > 0 ? usable : capacity;
    Measurement load = node.cpu().foreground();
    missing = load.missing();
    everMeasured |= load.isPresent();
    OptionalDouble bestEffort = node.cpu().bestEffort().value();
    Suppression decision = law.decide(new Observation(seen.nanos(), load.value(), capacity));
    last = Optional.of(new Decided(decision, bestEffort));
    return List.of(
        new Action.SetLimit(
            Limit.CPU_QUOTA,
            capacity,
            Optional.empty(),
            decision.change(),
            everMeasured,
            decision.basis(node.foreground(), bestEffort)));
  }

  @Override
  public MechanismReport report() {
    Optional<Decided> decided = last;
    Optional<Suppression> decision = decided.map(Decided::suppression);
    return new MechanismReport(
        "load",
        Optional.of(
            String.format(Locale.ROOT, "below a water line of %d %% of the node", line.percent())),
        List.of(
            Quantity.of(MechanismReport.LIMIT, CORES, decision.map(Suppression::limit)),
            Quantity.of(
                MechanismReport.CAPACITY,
                CORES,
                decision.map(known -> known.observation().capacity())),
            new Quantity(
                MechanismReport.BEST_EFFORT,
                CORES,
                decided.map(Decided::bestEffort).orElse(OptionalDouble.empty())),
            new Quantity(
                MechanismReport.VALUE,
                CORES,
                decision.map(known -> known.observation().value()).orElse(OptionalDouble.empty())),
            new Quantity(
                MechanismReport.MEAN,
                CORES,
                decision.map(Suppression::meanLoad).orElse(OptionalDouble.empty()))),
        Optional.empty(),
        decision.map(known -> known.cause().text()));
  }
}
