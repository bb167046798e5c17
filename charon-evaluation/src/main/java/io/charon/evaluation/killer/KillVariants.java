/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import java.time.Duration;
import java.util.List;

/** The variants of {@code bench killer}, in the order of the table. */
public final class KillVariants {
  static final String IN_KERNEL = "in-kernel";
  static final String IN_KERNEL_WITH_REAPER = "in-kernel+reaper";
  static final String HELPER_KILLS = "in-kernel-detect+helper";
  static final String HELPER_DETECTS = "helper-psi";
  static final String JVM = "jvm-poll+fork-exec";
  static final String LINUX = "linux-oom";

  /** All names. */
  public static final List<String> NAMES =
      List.of(IN_KERNEL, IN_KERNEL_WITH_REAPER, HELPER_KILLS, HELPER_DETECTS, JVM, LINUX);

  private static final Duration MARGIN = Duration.ofSeconds(15);

  private KillVariants() {}

  /** Returns the variants that the options select. */
  static List<KillVariant> of(KillerOptions options, PressureCell cell, CellKiller killer) {
    return options.variants().stream().map(name -> of(name, options, cell, killer)).toList();
  }

  private static KillVariant of(
      String name, KillerOptions options, PressureCell cell, CellKiller killer) {
    Duration tolerance = options.tolerance();
    Duration timeout = tolerance.plus(MARGIN);
    return switch (name) {
      case IN_KERNEL -> new UaKillerVariant(name, killer, 1, false, tolerance, timeout);
      case IN_KERNEL_WITH_REAPER -> new UaKillerVariant(name, killer, 1, true, tolerance, timeout);
      case HELPER_KILLS -> new UaKillerVariant(name, killer, 2, true, tolerance, timeout);
      case HELPER_DETECTS -> new UaKillerVariant(name, killer, 3, true, tolerance, timeout);
      case JVM -> new JvmPollVariant(cell, tolerance, timeout);
      case LINUX -> new LinuxOomVariant(options.patienceWithLinux());
      default -> throw new IllegalArgumentException("no variant " + name);
    };
  }
}
