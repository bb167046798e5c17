/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.command;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** Refuses options of {@code charon demo} that would have no effect beside the other options. */
final class DemoCombinations {
  static final String CLUSTER = "--cluster";
  static final String NODES = "--nodes";
  static final String TAG = "--tag";
  static final String QUICK = "--quick";
  static final String WINDOW = "--window-seconds";
  static final String INPUT = "--input";
  static final String INPUT_MB = "--input-mb";

  private static final List<String> ON_A_CLUSTER_ONLY = List.of(NODES, TAG);
  private static final List<String> ON_A_CLUSTER =
      List.of(CLUSTER, NODES, TAG, QUICK, WINDOW, INPUT, INPUT_MB);

  private final CommandSpec spec;
  private final List<String> given;

  private DemoCombinations(CommandSpec spec) {
    this.spec = spec;
    this.given =
        spec.commandLine().getParseResult().matchedOptions().stream()
            .map(OptionSpec::longestName)
            .toList();
  }

  /**
   * Checks the options of the command line that was parsed last.
   *
   * @throws ParameterException if an option would have no effect; the message names it and what to
   *     do
   */
  static void require(CommandSpec spec) {
    DemoCombinations options = new DemoCombinations(spec);
    if (options.given.contains(CLUSTER)) {
      options.requireOnACluster();
    } else {
      options.refuse(
          options.given.stream().filter(ON_A_CLUSTER_ONLY::contains),
          "%s: only with --cluster, which names the configuration of an existing cluster");
    }
  }

  private void requireOnACluster() {
    refuse(
        given.stream().filter(option -> !ON_A_CLUSTER.contains(option)),
        "%s: not with --cluster, which runs one production job and best-effort jobs on the cluster as it is: leave it out, or leave out --cluster");
    if (given.contains(WINDOW)) {
      refuse(
          given.stream().filter(QUICK::equals),
          "%s only shortens the window with --cluster, and --window-seconds sets it: leave one of them out");
    }
  }

  private void refuse(Stream<String> options, String message) {
    String named = options.collect(Collectors.joining(", "));
    if (!named.isEmpty()) {
      throw new ParameterException(spec.commandLine(), message.formatted(named));
    }
  }
}
