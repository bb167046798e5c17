/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.command;

import io.charon.cli.OptionRanges;
import io.charon.evaluation.cluster.Installation;
import io.charon.evaluation.demo.WorkloadTimes;
import io.charon.evaluation.playground.ClusterState;
import io.charon.evaluation.playground.JobRun;
import io.charon.evaluation.playground.Playground;
import io.charon.evaluation.playground.PredefinedJob;
import io.charon.evaluation.playground.ProgressLine;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code charon cluster submit}: submits a predefined job to the cluster. */
@Command(
    name = "submit",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {"Submits a job to the cluster that \"charon cluster start\" has started.", ""},
    footer = {
      "",
      "Jobs:",
      "  production  reserves two thirds of the memory and uses half of that, for about five minutes",
      "  sort        best-effort tasks that sort, search and join text, "
          + WorkloadTimes.SHORTEST_TASK_SECONDS
          + " to "
          + WorkloadTimes.LONGEST_TASK_SECONDS
          + " s each, all submitted at once",
      "  mapreduce   a best-effort word count; a map task reads for about "
          + WorkloadTimes.SHORTEST_TASK_SECONDS
          + " s",
      "",
      "Best-effort runs on unused memory, even if it is reserved: submit production "
          + "first, then sort. Three best-effort jobs run at a time; further ones wait.",
      "",
      "Examples:",
      "  charon cluster submit production",
      "  charon cluster submit sort --tasks 40 --wait",
      "  charon cluster submit mapreduce --wait",
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:submitted; with --wait: the job succeeded and its results are right",
      "1:no cluster runs, or the job failed, or a result is wrong",
      "2:wrong usage"
    })
final class ClusterSubmitCommand implements Callable<Integer> {
  private final Path root;

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "JOB", description = "production, sort or mapreduce.")
  private String name;

  @Option(
      names = "--tasks",
      paramLabel = "N",
      description =
          "Number of tasks. production: 1 or 2, default 2, one on each node; sort: 1 to 200, "
              + "default 24; mapreduce: map tasks, 1 to 64, default 4.")
  private Integer tasks;

  @Option(
      names = "--wait",
      description =
          "Wait until the job has ended, and compare its results with results that this "
              + "process computes itself. Ctrl-C ends the wait, not the job.")
  private boolean wait;

  @Mixin private ClusterDirectoryOption directory;

  ClusterSubmitCommand(Path root) {
    this.root = root;
  }

  @Override
  public Integer call() throws InterruptedException {
    PredefinedJob job = OptionRanges.accepted(spec, () -> PredefinedJob.of(name));
    int count = tasks == null ? job.defaultTasks() : tasks;
    OptionRanges.require(spec, "--tasks of " + job.label(), count, 1, job.maxTasks());
    try {
      Playground playground = directory.playground(root);
      ClusterState state = playground.running();
      JobRun run =
          JobRun.submit(
              state, playground.directory().configuration(), Installation.locate(), job, count);
      PrintWriter out = spec.commandLine().getOut();
      out.printf("Submitted %s as %s%n", job.label(), run.id());
      out.printf("  its web page      %s%n", run.page());
      out.printf("  the cluster's     %s%n", state.address().orElseThrow().page());
      out.flush();
      return wait ? await(run) : 0;
    } catch (IOException | IllegalStateException e) {
      spec.commandLine().getErr().println("charon cluster submit: " + e.getMessage());
      return 1;
    }
  }

  private int await(JobRun run) throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    JobRun.Result end = run.await(new ProgressLine(out, Terminal.isStandardOutput()));
    if (end.problems().isEmpty()) {
      out.printf(Locale.ROOT, "Succeeded after %.0f s; every result is right.%n", end.seconds());
      out.flush();
      return 0;
    }
    end.problems()
        .forEach(
            problem -> spec.commandLine().getErr().println("charon cluster submit: " + problem));
    return 1;
  }
}
