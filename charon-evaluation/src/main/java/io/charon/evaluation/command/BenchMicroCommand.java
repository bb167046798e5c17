/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.command;

import io.charon.cli.PlainText;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.regex.PatternSyntaxException;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.BenchmarkException;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code charon bench micro}: runs JMH benchmarks of the hot paths of the simulator, a node and a
 * ResourceManager.
 */
@Command(
    name = "micro",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Measures the hot paths with JMH. Of a simulation: the event queue, a step of a "
          + "node, and an opportunistic container from request to end. Of a NodeManager: the "
          + "decision whether a container may start, and the report of a heartbeat with 500 "
          + "containers, with and without Charon. Of a ResourceManager of 1,000 nodes: the "
          + "calls of an ApplicationMaster, with and without Charon's plug-in. Does not need root.",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:measured", "1:the measurement failed", "2:wrong usage"},
    footerHeading = "%nExamples:%n",
    footer = {
      "  charon bench micro --json micro.json",
      "  charon bench micro --include EventQueue --quick",
    })
final class BenchMicroCommand implements Callable<Integer> {
  private static final String BENCHMARKS = "io.charon.evaluation.micro.";

  @Spec private CommandSpec spec;

  @Option(
      names = "--include",
      paramLabel = "REGEX",
      description = "Regular expression; only benchmarks whose name matches are run. Default: all.")
  private String include;

  @Option(
      names = "--quick",
      description =
          "One short iteration: a check that the benchmarks run; the numbers mean little.")
  private boolean quick;

  @Option(names = "--json", paramLabel = "FILE", description = "Also write JMH's result as JSON.")
  private Path json;

  @Override
  public Integer call() throws IOException {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include(include == null ? BENCHMARKS : include)
            .shouldFailOnError(true)
            .forks(1)
            .warmupIterations(quick ? 1 : 3)
            .measurementIterations(quick ? 1 : 5)
            .warmupTime(TimeValue.milliseconds(quick ? 100 : 2000))
            .measurementTime(TimeValue.milliseconds(quick ? 100 : 2000));
    if (json != null) {
      Files.createDirectories(json.toAbsolutePath().getParent());
      options.resultFormat(ResultFormatType.JSON).result(json.toString());
    }
    PrintWriter err = spec.commandLine().getErr();
    try {
      var unused = new Runner(options.build()).run();
      return 0;
    } catch (RunnerException | PatternSyntaxException e) {
      err.println(
          "charon bench micro: "
              + (e.getCause() instanceof BenchmarkException
                  ? "a benchmark failed; its output is above"
                  : PlainText.escape(String.valueOf(e.getMessage()))));
      return 1;
    }
  }
}
