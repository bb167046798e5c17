/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.Availability;
import io.charon.core.mechanism.CheckedAvailability;
import io.charon.core.mechanism.Limit;
import io.charon.core.mechanism.Measurement;
import io.charon.core.mechanism.Mechanism;
import io.charon.core.mechanism.MechanismReport;
import io.charon.core.mechanism.MechanismReport.Quantity;
import io.charon.core.mechanism.NodeReading;
import io.charon.core.mechanism.Reading;
import io.charon.core.mechanism.ResourceUse;
import io.charon.core.mechanism.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;

/**
 * A mechanism that limits one resource of best-effort by a law that observes the foreground: it
 * passes each reading of the node to the law and requests the limit that the law decides.
 */
public final class RegulatedLimit implements Mechanism {
  /** The number of cores to which the foreground is pinned, in decisions about cores. */
  public static final String PINNED = Decision.PINNED;

  /**
   * The controlled resource and the observed signal.
   *
   * @param name such as memory; part of keys, metrics and the audit log
   * @param limit the limited resource
   * @param limitUnit unit of the limit and of best-effort's use: bytes, cores, bytes_per_second
   * @param signal the observed signal of the foreground, in readable text
   * @param signalUnit its unit: that of the limit, or ratio
   * @param use returns the use of the resource by each side
   * @param value returns the observed value of the foreground
   * @param note why this signal is used and not a better one; empty if there is no note
   */
  public record Subject(
      String name,
      Limit limit,
      String limitUnit,
      String signal,
      String signalUnit,
      Function<NodeReading, ResourceUse> use,
      Function<NodeReading, Measurement> value,
      Optional<String> note) {}

  /** Turns an observation into a decision. */
  @FunctionalInterface
  public interface Law {
    /**
     * Decides on the limit.
     *
     * @param seen the whole reading, for a law that needs more than a value
     * @param observation the observed value and the total amount of the resource
     */
    Decision decide(NodeReading seen, Observation observation);
  }

  private record Decided(Decision decision, Measurement value, Measurement bestEffort) {}

  private final Subject subject;
  private final Law law;
  private final CheckedAvailability sensor;
  private double capacity;
  private volatile boolean everMeasured;
  private volatile Optional<Decided> last = Optional.empty();

  /**
   * Creates a mechanism without observations.
   *
   * @param subject the controlled resource and the observed signal
   * @param law makes the decisions
   * @param sensor whether this machine has the signal
   */
  public RegulatedLimit(Subject subject, Law law, CheckedAvailability sensor) {
    this.subject = subject;
    this.law = law;
    this.sensor = sensor;
  }

  /** Creates a mechanism whose law needs only the observed value. */
  public RegulatedLimit(Subject subject, Regulator law, CheckedAvailability sensor) {
    this(subject, (seen, observation) -> law.decide(observation), sensor);
  }

  @Override
  public String name() {
    return subject.name();
  }

  @Override
  public Availability availability() {
    return sensor
        .known()
        .and(
            new Availability(
                last.filter(decided -> !everMeasured)
                    .flatMap(decided -> decided.value().missing())));
  }

  @Override
  public void checkAgain() {
    sensor.checkAgain();
  }

  @Override
  public Set<Class<? extends Reading>> needs() {
    return Set.of(NodeReading.class);
  }

  @Override
  public Set<Limit> limits() {
    return Set.of(subject.limit());
  }

  @Override
  public List<Action> decide(Snapshot seen) {
    NodeReading node = seen.get(NodeReading.class);
    ResourceUse use = subject.use().apply(node);
    Measurement value = subject.value().apply(node);
    use.capacity().value().ifPresent(known -> capacity = known);
    everMeasured |= value.isPresent();
    Observation observation = new Observation(seen.nanos(), value.value(), capacity);
    Decision decision = law.decide(node, observation);
    last = Optional.of(new Decided(decision, value, use.bestEffort()));
    return List.of(
        new Action.SetLimit(
            subject.limit(),
            capacity,
            decision.cores().map(CoreChoice::chosen),
            decision.change(),
            everMeasured,
            decision.basis(node.foreground(), use.bestEffort().value())));
  }

  /** Returns the last decision; empty before the first one. */
  public Optional<Decision> decision() {
    return last.map(Decided::decision);
  }

  @Override
  public MechanismReport report() {
    Optional<Decided> decided = last;
    Optional<Decision> decision = decided.map(Decided::decision);
    Optional<CoreChoice> cores = decision.flatMap(Decision::cores);
    List<Quantity> quantities = new ArrayList<>();
    quantities.add(
        Quantity.of(MechanismReport.LIMIT, subject.limitUnit(), decision.map(Decision::limit)));
    quantities.add(
        Quantity.of(
            MechanismReport.CAPACITY,
            subject.limitUnit(),
            decision.map(known -> known.observation().capacity())));
    quantities.add(
        new Quantity(
            MechanismReport.BEST_EFFORT,
            subject.limitUnit(),
            decided.map(known -> known.bestEffort().value()).orElse(OptionalDouble.empty())));
    quantities.add(
        new Quantity(
            MechanismReport.VALUE,
            subject.signalUnit(),
            decision.map(known -> known.observation().value()).orElse(OptionalDouble.empty())));
    if (subject.limit().equals(Limit.CPUS)) {
      quantities.add(
          new Quantity(
              MechanismReport.MEAN,
              subject.signalUnit(),
              cores.map(CoreChoice::meanLoad).orElse(OptionalDouble.empty())));
      quantities.add(Quantity.of(PINNED, "cores", cores.map(choice -> choice.pinned().count())));
    } else {
      Optional<NormalRange> range = decision.flatMap(Decision::range);
      quantities.add(
          Quantity.of(MechanismReport.MEAN, subject.signalUnit(), range.map(NormalRange::mean)));
      quantities.add(
          Quantity.of(
              MechanismReport.DEVIATION,
              subject.signalUnit(),
              range.map(NormalRange::standardDeviation)));
    }
    return new MechanismReport(
        subject.signal(),
        subject.note(),
        quantities,
        cores.map(choice -> choice.chosen().toString()),
        decision.map(known -> known.cause().text()));
  }
}
