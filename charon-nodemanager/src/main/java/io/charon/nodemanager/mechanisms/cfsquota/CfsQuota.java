/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.cfsquota;

import io.charon.core.law.CpuQuotaRegulator;
import io.charon.core.law.RegulatedLimit;
import io.charon.core.law.RegulatorMode;
import io.charon.core.mechanism.Availability;
import io.charon.core.mechanism.CheckedAvailability;
import io.charon.core.mechanism.Limit;
import io.charon.core.mechanism.Measurement;
import io.charon.core.mechanism.NodeReading;
import io.charon.nodemanager.cgroup.CpuBandwidth;
import io.charon.nodemanager.config.RegulatorSettings;
import io.charon.nodemanager.config.RegulatorSettings.CpuLimit;
import io.charon.nodemanager.config.RegulatorSettings.CpuSignal;
import io.charon.nodemanager.execution.Actuator;
import io.charon.nodemanager.sensor.NodeSnapshotReader;
import io.charon.nodemanager.sensor.NodeSnapshotReader.HealthSignal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Assembles the regulator that limits the CPU time of all best-effort work together, or its share
 * of the last-level cache. The regulator uses the best signal of the foreground's health that the
 * operator asked for and the machine provides.
 */
public final class CfsQuota {
  private static final Logger LOG = LoggerFactory.getLogger(CfsQuota.class);

  private CfsQuota() {}

  /**
   * A signal, and the reason for its choice.
   *
   * @param signal the signal by which the foreground's health is judged
   * @param unavailable why this machine does not have the signal; empty if it has
   * @param note why no better signal is used; empty if there is none
   */
  private record Choice(HealthSignal signal, Optional<String> unavailable, Optional<String> note) {}

  /**
   * Assembles the regulator and configures the reader for the chosen signal.
   *
   * @param wanted the operator's settings
   * @param reader reads the signal
   */
  public static RegulatedLimit of(RegulatorSettings.Cpu wanted, NodeSnapshotReader reader) {
    boolean on = wanted.healthMode() != RegulatorMode.OFF;
    // Probing for instructions runs a program, which a regulator that is off must not cause.
    Choice choice =
        on ? choose(wanted.signal(), reader) : of(HealthSignal.PRESSURE, reader, List.of());
    if (on) {
      reader.enableHealth(choice.signal());
      LOG.info(
          "the CPU regulator uses the signal {} of the foreground{}",
          name(choice.signal()),
          choice.note().map(note -> "; " + note).orElse(""));
    }
    return new RegulatedLimit(
        subject(
            choice.signal(),
            wanted.limit() == CpuLimit.QUOTA ? Limit.CPU_QUOTA : Limit.CACHE_WAYS,
            choice.note()),
        new CpuQuotaRegulator(wanted.rule().with(choice.signal().worse())),
        new CheckedAvailability(
            new Availability(choice.unavailable()),
            () -> new Availability(reader.unavailable(choice.signal()))));
  }

  /**
   * Returns the description of CPU time as regulated by the foreground's health.
   *
   * @param signal how the foreground's health is measured
   * @param limit the limit that is moved
   * @param note why no better signal is used; empty if there is none
   */
  public static RegulatedLimit.Subject subject(
      HealthSignal signal, Limit limit, Optional<String> note) {
    return switch (signal) {
      case PRESSURE -> subject("pressure", NodeReading.Health::pressure, limit, note);
      case RUN_QUEUE -> subject("run-queue", NodeReading.Health::runQueueDelay, limit, note);
      case INSTRUCTIONS ->
          subject("instructions/cycle", NodeReading.Health::instructionsPerCycle, limit, note);
    };
  }

  private static RegulatedLimit.Subject subject(
      String signal,
      Function<NodeReading.Health, Measurement> value,
      Limit limit,
      Optional<String> note) {
    return new RegulatedLimit.Subject(
        "cpu",
        limit,
        "cores",
        signal,
        "ratio",
        NodeReading::cpu,
        seen -> value.apply(seen.health()),
        note);
  }

  /**
   * Returns an actuator that sets the CPU quota of best-effort's common parent cgroup. A limit of 0
   * becomes the smallest quota that the kernel accepts: 1 ms per period, or 1 % of a core at the
   * default period of 100 ms.
   */
  public static Actuator actuator(CpuBandwidth bestEffort) {
    return Actuator.of(
        bestEffort::unavailable, wanted -> bestEffort.limit(wanted.amount()), bestEffort::unlimit);
  }

  private static Choice choose(CpuSignal wanted, NodeSnapshotReader reader) {
    return switch (wanted) {
      case INSTRUCTIONS -> of(HealthSignal.INSTRUCTIONS, reader, List.of());
      case PRESSURE, NONE -> of(HealthSignal.PRESSURE, reader, List.of());
      case RUN_QUEUE -> of(HealthSignal.RUN_QUEUE, reader, List.of());
      case AUTO -> best(reader);
    };
  }

  /**
   * Returns the first available signal, the paper's signal first; pressure if none is available.
   */
  private static Choice best(NodeSnapshotReader reader) {
    List<String> without = new ArrayList<>();
    for (HealthSignal signal :
        List.of(HealthSignal.INSTRUCTIONS, HealthSignal.PRESSURE, HealthSignal.RUN_QUEUE)) {
      Choice choice = of(signal, reader, without);
      if (choice.unavailable().isEmpty()) {
        return choice;
      }
      without.add("no %s: %s".formatted(name(signal), choice.unavailable().get()));
    }
    return of(HealthSignal.PRESSURE, reader, List.of());
  }

  private static Choice of(HealthSignal signal, NodeSnapshotReader reader, List<String> without) {
    return new Choice(
        signal,
        reader.unavailable(signal),
        Optional.of(String.join("; ", without)).filter(note -> !note.isEmpty()));
  }

  private static String name(HealthSignal signal) {
    return signal.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
