/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.cfsquota;

import io.charon.core.law.CpuQuotaRegulator;
import io.charon.core.law.RegulatorMode;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.config.CpuSignal;
import io.charon.nodemanager.config.RegulatorSettings;
import io.charon.nodemanager.execution.NodeRegulator;
import io.charon.nodemanager.execution.Resource;
import io.charon.nodemanager.execution.Unavailable;
import io.charon.nodemanager.sensor.NodeSnapshotReader;
import io.charon.nodemanager.sensor.NodeSnapshotReader.HealthSignal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The CPU regulator of a node, with the best signal that the operator wants and the machine has.
 */
public final class CpuRegulation {
  private static final Logger LOG = LoggerFactory.getLogger(CpuRegulation.class);

  private CpuRegulation() {}

  /**
   * A signal, and why it is in use.
   *
   * @param signal what the foreground's health is judged by
   * @param unavailable why this machine has no such signal; empty if it has
   * @param note why not by a better one; empty if there is none
   */
  private record Choice(HealthSignal signal, Optional<String> unavailable, Optional<String> note) {}

  /**
   * Puts the regulator together, and tells the reader what to read.
   *
   * @param wanted what the operator wants
   * @param reader reads the signal
   * @param layout the containers' cgroups, if they have any
   * @param procRoot where proc is mounted
   */
  public static NodeRegulator of(
      RegulatorSettings wanted,
      NodeSnapshotReader reader,
      Optional<CgroupLayout> layout,
      Path procRoot) {
    boolean on = wanted.cpuMode() != RegulatorMode.OFF;
    // To ask for instructions runs a program: not for a regulator that is off.
    Choice choice =
        on ? choose(wanted.cpuSignal(), reader) : of(HealthSignal.PRESSURE, reader, List.of());
    if (on) {
      reader.judgeHealthBy(choice.signal());
      LOG.info(
          "the CPU regulator judges the foreground by {}{}",
          name(choice.signal()),
          choice.note().map(note -> "; " + note).orElse(""));
    }
    return new NodeRegulator(
        Resource.cpu(choice.signal()).noting(choice.note()),
        wanted.cpuMode(),
        new CpuQuotaRegulator(wanted.cpu().with(choice.signal().worse())),
        layout
            .map(cgroups -> CpuLimits.of(wanted, cgroups, procRoot))
            .orElseGet(() -> new Unavailable(CgroupLayout.NONE)),
        choice.unavailable());
  }

  private static Choice choose(CpuSignal wanted, NodeSnapshotReader reader) {
    return switch (wanted) {
      case INSTRUCTIONS -> of(HealthSignal.INSTRUCTIONS, reader, List.of());
      case PRESSURE -> of(HealthSignal.PRESSURE, reader, List.of());
      case RUN_QUEUE -> of(HealthSignal.RUN_QUEUE, reader, List.of());
      case AUTO -> best(reader);
    };
  }

  /** The first that there is, the paper's first; pressure where there is none. */
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
