/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.command;

import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code charon bench}: measures the kernel UA killer, memory that does not fit, colocation, bursts
 * under a quota, interference, reclaim, the start of containers, orders to stop, whole clusters,
 * and the simulator.
 */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    description = {
      "killer, overhead, false-kills and thrash-model measure the kernel UA killer, and "
          + "the cost of memory that does not fit, on this machine; they need root. Memory "
          + "pressure exists only inside a cgroup with a limit; that cgroup and the swap "
          + "device it uses are removed at the end.",
      "",
      "colocation measures how much best-effort work slows down a foreground, and the "
          + "effect of regulators; needs root.",
      "",
      "burst measures how much a CPU quota delays work that comes in bursts, and how "
          + "much a token bucket improves that; needs root.",
      "",
      "interference measures production's speed next to best-effort that uses memory, "
          + "with and without the memory limit; needs root.",
      "",
      "reclaim measures how much memory that production does not use becomes available "
          + "to best-effort; needs root.",
      "",
      "launch measures how much later a container starts with Charon; needs root.",
      "",
      "stop measures how soon launches end after charon stop, and does not need root.",
      "",
      "cluster compares Charon with stock YARN and a threshold policy on a real YARN "
          + "cluster; needs root.",
      "",
      "sls and micro measure the simulator, and do not need root.",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:the measurement failed or could not be written, bench false-kills, bench "
          + "interference, bench launch or bench stop missed a target, or two runs of bench sls differ",
      "2:wrong usage"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  charon bench killer --quick",
      "  charon bench overhead --json overhead.json",
      "  charon bench false-kills --rounds 20 --seed 7",
      "  charon bench kill-delays --out kill-delays-measured.properties killer.json",
      "  charon bench thrash-model --out thrash-model.properties",
      "  charon bench colocation --scenario cpu --quick",
      "  charon bench burst --quick",
      "  charon bench interference --quick",
      "  charon bench reclaim --quick",
      "  charon bench launch --quick",
      "  charon bench stop --quick",
      "  charon bench cluster --quick",
      "  charon bench sls --quick",
      "  charon bench micro --include EventQueue",
    })
final class BenchCommand implements Runnable {
  @Spec private CommandSpec spec;

  /** Returns the command with its subcommands. */
  static CommandLine commandLine(Path root) {
    return new CommandLine(new BenchCommand())
        .addSubcommand(new BenchKillerCommand(root))
        .addSubcommand(new BenchOverheadCommand(root))
        .addSubcommand(new BenchFalseKillsCommand(root))
        .addSubcommand(new BenchKillDelaysCommand())
        .addSubcommand(new BenchThrashModelCommand(root))
        .addSubcommand(new BenchColocationCommand(root))
        .addSubcommand(new BenchBurstCommand())
        .addSubcommand(new BenchInterferenceCommand(root))
        .addSubcommand(new BenchReclaimCommand(root))
        .addSubcommand(new BenchLaunchCommand(root))
        .addSubcommand(new BenchStopCommand())
        .addSubcommand(new BenchClusterCommand(root))
        .addSubcommand(new BenchSlsCommand())
        .addSubcommand(new BenchMicroCommand());
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "Missing subcommand: killer, overhead, false-kills, kill-delays, thrash-model, "
            + "colocation, burst, interference, reclaim, launch, stop, cluster, sls or micro; see "
            + "charon bench --help");
  }
}
