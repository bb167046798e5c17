/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.command;

import io.charon.cli.SlsWorkload;
import io.charon.evaluation.killer.Report;
import io.charon.evaluation.killer.TimeBudget;
import io.charon.evaluation.simulator.SlsBench;
import io.charon.evaluation.simulator.SlsReport;
import io.charon.evaluation.simulator.SlsSpeed;
import io.charon.evaluation.simulator.SlsSpeed.SlsSize;
import io.charon.evaluation.simulator.StockSls;
import io.charon.sls.experiment.ExperimentPlan;
import io.charon.sls.experiment.ExperimentPlanBuilder;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code charon bench sls}: measures the speed of the simulator. */
@Command(
    name = "sls",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Measures the speed of simulations of 100, 1,000 and 10,000 nodes on one core, and "
          + "Hadoop's own Scheduler Load Simulator for comparison. Each size runs twice: both "
          + "runs must have the same events in the same order. Does not need root.",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:measured, whether or not the targets are met",
      "1:the measurement failed, or two runs of a size differ",
      "2:wrong usage"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  charon bench sls --json sls.json",
      "  charon bench sls --quick",
    })
final class BenchSlsCommand implements Callable<Integer> {
  private static final List<SlsSize> SIZES =
      List.of(new SlsSize(100, 7, 2000), new SlsSize(1_000, 1, 200), new SlsSize(10_000, 0.25, 20));
  private static final List<SlsSize> QUICK_SIZES =
      List.of(
          new SlsSize(100, 0.5, 2000), new SlsSize(1_000, 0.1, 200), new SlsSize(5_000, 0.1, 40));

  @Spec private CommandSpec spec;

  @Mixin private BenchOutput output;

  @Option(
      names = "--quick",
      description = "Shorter workloads and no more than 5,000 nodes: too short to warm up.")
  private boolean quick;

  @Override
  public Integer call() throws IOException, InterruptedException {
    TimeBudget budget = output.budget(spec);
    PrintWriter out = spec.commandLine().getOut();
    List<SlsSpeed> speeds = new ArrayList<>();
    for (SlsSize size : quick ? QUICK_SIZES : SIZES) {
      if (budget.isExhausted(speeds.size())) {
        break;
      }
      try (SlsWorkload workload = SlsWorkload.open(planOf(size))) {
        out.println(workload.description());
        out.flush();
        speeds.add(new SlsBench().measure(size, workload));
      }
    }
    Report report = SlsReport.of(speeds, new StockSls(out).measure(budget));
    output.show(report, budget, out);
    return report.ok() ? 0 : 1;
  }

  private static ExperimentPlan planOf(SlsSize size) {
    ExperimentPlanBuilder plan = new ExperimentPlanBuilder();
    plan.nodes(size.nodes());
    plan.hours(size.hours());
    return plan.build();
  }
}
